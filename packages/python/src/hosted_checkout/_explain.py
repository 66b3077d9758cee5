"""Adds cause and remedy to errors that the server cannot explain, because it does not know the caller's intent."""

from __future__ import annotations

# A merchant and its catalogue serve both environments; a change is looked for in a subscription that was found.
_OF_NO_ENVIRONMENT = tuple(
    f"{kind}_not_found" for kind in ("merchant", "offering", "plan", "price", "product", "subscription_change")
)


def explain(code: str, api_key: str, base_url: str) -> str | None:
    """Returns a sentence; None if the server's message suffices."""
    if code in ("api_key_invalid", "service_api_key_required", "access_token_invalid"):
        return _about_key(api_key, base_url)
    if code == "sandbox_only":
        return "This is a live key: use one that begins with ap_test_."
    if code == "route_not_found":
        return (
            f"Check the address {base_url}, which ends before /v1; "
            "an installation that is older than this client lacks its newer operations."
        )
    if code.endswith("_not_found") and code not in _OF_NO_ENVIRONMENT and api_key.startswith(("ap_test_", "ap_live_")):
        here, elsewhere, other = "the sandbox", "production", "ap_live_"
        if api_key.startswith("ap_live_"):
            here, elsewhere, other = elsewhere, here, "ap_test_"
        return (
            f"The key is for {here}: {elsewhere} has its own objects, which it cannot see. "
            f"For those, use a key that begins with {other}."
        )
    return None


def not_this_api(base_url: str) -> str:
    return f"Something other than the API answered at {base_url}: check the address, and any proxy in between."


def _about_key(api_key: str, base_url: str) -> str:
    if api_key.startswith("whsec_"):
        return "This is the secret of a webhook endpoint: an API key begins with ap_test_ or ap_live_."
    if api_key.startswith("ey"):
        return (
            "The access token is not valid here: log in again. "
            "If that does not help, check the clocks of the identity provider and the API."
        )
    if not api_key.startswith(("ap_test_", "ap_live_")):
        return "An API key begins with ap_test_ or ap_live_; this one does not."
    return (
        f"The key is not known at {base_url}: it has expired, was revoked or cut off, or belongs to another installation. "
        "Copy it again, or create one in the dashboard."
    )
