#!/bin/sh
# `deploy/make-env.sh [--sandbox] [<file>]`: writes deploy/.env (or <file>) from deploy/env.example with fresh
# secrets. Never overwrites a file: with another key, stored secrets become unreadable.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
sandbox=no
[ "${1:-}" = --sandbox ] && sandbox=yes && shift
file=${1:-$here/.env}

if [ -e "$file" ]; then
  echo "$file exists and stays unchanged." >&2
  exit 1
fi

random_hex() { od -An -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
random_base64() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }

umask 077
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    *=@hex32@) printf '%s=%s\n' "${line%%=*}" "$(random_hex 32)" ;;
    *=@base64_32@) printf '%s=%s\n' "${line%%=*}" "$(random_base64 32)" ;;
    '#sandbox '*) [ $sandbox = no ] || printf '%s\n' "${line#'#sandbox '}" ;;
    *) printf '%s\n' "$line" ;;
  esac
done <"$here/env.example" >"$file"
echo "Wrote $file. Review it, set PUBLIC_URL and RAIL_FIELDS_URL, and store a copy of SECRETS_KEY and API_KEY_PEPPER in a safe place."
