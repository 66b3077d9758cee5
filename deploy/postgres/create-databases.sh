#!/bin/sh
# Runs once, when PostgreSQL creates its data directory: one role with its own databases per part, so that no part
# can read another's. The passwords come from the environment and are passed as psql variables.
set -eu

create() { # role, password, database...
  role=$1 password=$2
  shift 2
  psql -v ON_ERROR_STOP=1 -v role="$role" -v password="$password" --username "$POSTGRES_USER" <<-'SQL'
		create role :"role" login password :'password';
	SQL
  for database in "$@"; do
    psql -v ON_ERROR_STOP=1 -v role="$role" -v database="$database" --username "$POSTGRES_USER" <<-'SQL'
			create database :"database" owner :"role";
			revoke connect on database :"database" from public;
		SQL
  done
}

create checkout "$CHECKOUT_DB_PASSWORD" checkout
create temporal "$TEMPORAL_DB_PASSWORD" temporal temporal_visibility
create rail "$RAIL_DB_PASSWORD" rail
