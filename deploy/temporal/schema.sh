#!/bin/sh
# Upgrades the schema of both of the Temporal server's databases. Idempotent; runs before every start of the
# server. The password comes from SQL_PASSWORD.
set -eu

schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}

update() { # database, folder
  sql="temporal-sql-tool --plugin postgres12 --ep $SQL_HOST -p ${SQL_PORT:-5432} -u $SQL_USER --db $1"
  $sql setup-schema -v 0.0
  $sql update-schema -d "$schema/$2/versioned"
}

update temporal temporal
update temporal_visibility visibility
