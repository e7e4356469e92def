#!/bin/sh
# Restores what postgres-backup.sh wrote into the empty database of DATABASE_URL. Then: `npm run log -- adopt` (the read models begin
# anew), `npm run log -- root` (compare), and start the service with the MASTER_KEY that it had.
set -eu
folder=${1:?usage: DATABASE_URL=postgres://... postgres-restore.sh <folder>}
: "${DATABASE_URL:?is not set}"

for dump in keys log; do
  pg_restore --dbname "$DATABASE_URL" --no-owner --exit-on-error --single-transaction "$folder/$dump.dump"
done
# Leases of processes that were at work then.
psql "$DATABASE_URL" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --command 'update projections.checkpoints set owner = null, lease_until = null'
