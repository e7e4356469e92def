#!/bin/sh
# Dumps the database of DATABASE_URL into a new folder, also while the service runs:
#   log.dump   the event log; personal data is sealed in it, so it may be kept for as long as the log
#   keys.dump  wrapped keys, accounts, claims, checkpoints: keep the latest only, elsewhere (whoever has an old one and MASTER_KEY can read
#              what was erased since)
# Read models are left out: they are made again from the log. Where the log is in EventStoreDB, back that up first (docs/production.md).
set -eu
folder=${1:?usage: DATABASE_URL=postgres://... postgres-backup.sh <new folder>}
: "${DATABASE_URL:?is not set}"
umask 077
mkdir "$folder"

# A read model is a schema of the name of its checkpoint, and while it is made anew two more.
without=$(psql "$DATABASE_URL" --no-psqlrc --tuples-only --no-align --set ON_ERROR_STOP=1 --command "
  select format('--exclude-schema=%I', schema_name) from information_schema.schemata
   where regexp_replace(schema_name, '__(next|old)\$', '') in (select name from projections.checkpoints) and schema_name not in ('order_search', 'dataset_search')")
# The texts that orders are found by stand in the open: their table is kept, what is in it is made again.

pg_dump "$DATABASE_URL" --format=custom --no-owner --schema=log --file "$folder/log.dump"
# Behind the log: a key is made before the event that it seals.
# shellcheck disable=SC2086
pg_dump "$DATABASE_URL" --format=custom --no-owner --exclude-schema=log --exclude-table-data='order_search.*' --exclude-table-data='dataset_search.*' $without --file "$folder/keys.dump"
