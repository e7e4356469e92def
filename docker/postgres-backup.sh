#!/bin/sh
# Dumps the database of DATABASE_URL into a new folder, also while the service runs:
#   log.dump   the event log; personal data is sealed in it, so it may be kept for as long as the log
#   keys.dump  wrapped keys, accounts, claims, checkpoints: keep the latest only, elsewhere (whoever has an old one and MASTER_KEY can read
#              what was erased since)
# Read models are left out: they are rebuilt from the log. Where the log is in EventStoreDB, back that up first (docs/production.md).
set -eu
folder=${1:?usage: DATABASE_URL=postgres://... postgres-backup.sh <new folder>}
: "${DATABASE_URL:?is not set}"
umask 077
mkdir "$folder"

# The schemas of these followers are created by a migration, which does not run again after a restore: only their rows are left out.
followers='order_search dataset_search address_search customer_search order_policy'
without=
for follower in $followers; do
  without="$without --exclude-table-data=$follower.*"
done

# Every other read model is a schema with the name of its checkpoint, and two more while it is rebuilt.
without="$without $(psql "$DATABASE_URL" --no-psqlrc --tuples-only --no-align --set ON_ERROR_STOP=1 --set followers="$followers" <<'SQL'
select format('--exclude-schema=%I', schema_name) from information_schema.schemata
 where regexp_replace(schema_name, '__(next|old)$', '') in (select name from projections.checkpoints)
   and schema_name <> all (string_to_array(:'followers', ' '))
SQL
)"

pg_dump "$DATABASE_URL" --format=custom --no-owner --schema=log --file "$folder/log.dump"
# After the log: a key is created before the event that it encrypts. The arguments are separate words, without globbing.
set -f
# shellcheck disable=SC2086
pg_dump "$DATABASE_URL" --format=custom --no-owner --exclude-schema=log $without --file "$folder/keys.dump"
