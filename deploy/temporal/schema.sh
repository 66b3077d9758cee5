#!/bin/sh
# Brings both databases of the Temporal server to the newest schema; changes nothing when they have it. Runs
# before every start of the server, so that an upgrade finds its schema. The password comes from SQL_PASSWORD.
set -eu

schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}

update() { # database, folder
  sql="temporal-sql-tool --plugin postgres12 --ep $SQL_HOST -p ${SQL_PORT:-5432} -u $SQL_USER --db $1"
  $sql setup-schema -v 0.0
  $sql update-schema -d "$schema/$2/versioned"
}

update temporal temporal
update temporal_visibility visibility
