"""Fields of responses and events that the decoder treats specially."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

MAPS = frozenset({"billing_details", "metadata", "request_headers", "values"})
"""Dictionaries with arbitrary keys."""

OPTIONAL = frozenset({"cancellation", "charge", "checkout", "dispute", "invoice", "payment_method", "subscriptions"})
"""Absent in some objects."""
