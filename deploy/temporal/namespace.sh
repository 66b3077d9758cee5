#!/bin/sh
# Creates the namespace if it is missing. The worker registers search attributes and the sweep's schedule at every
# start.
set -eu

temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention "$TEMPORAL_RETENTION" \
    --description "Checkout sessions, webhook delivery and the sweep"
temporal operator namespace describe -n "$TEMPORAL_NAMESPACE"
