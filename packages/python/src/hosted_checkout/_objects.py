"""Objects of the API with their fields as attributes."""

from __future__ import annotations

from keyword import iskeyword
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ._fields import MAPS, OPTIONAL

if TYPE_CHECKING:

    class Object:
        """The base of the types in `hosted_checkout.schemas`, which name the fields of each object."""

else:

    class Object(SimpleNamespace):
        def __getattr__(self, name: str) -> Any:
            # Not every object has these fields.
            if name in OPTIONAL:
                return None
            raise AttributeError(f"this object of the API has no {name}: its fields are {', '.join(vars(self))}")


def object_of(value: Any, name: str = "") -> Any:
    """Converts parsed JSON to objects, except fields whose keys the caller chooses, such as `metadata`."""
    if isinstance(value, list):
        return [object_of(each, name) for each in value]
    if isinstance(value, dict) and name not in MAPS:
        return Object(**{_attribute(field): object_of(each, field) for field, each in value.items()})
    return value


def as_dict(value: Any) -> Any:
    """Converts an object, or a list of objects, to dictionaries for `json.dumps`."""
    if isinstance(value, list):
        return [as_dict(each) for each in value]
    if isinstance(value, Object):
        return {_field(name): as_dict(each) for name, each in vars(value).items()}
    return value


def _attribute(field: str) -> str:
    return f"{field}_" if iskeyword(field) else field


def _field(attribute: str) -> str:
    return attribute[:-1] if attribute.endswith("_") and iskeyword(attribute[:-1]) else attribute
