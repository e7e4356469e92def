#!/bin/sh
# Makes the environment files with the secrets of the compose files, once, readable by their owner only. Keep copies of both apart from
# every backup of the data: without MASTER_KEY no personal data can be read again, and with it a backup of the keys can.
set -eu
cd "${1:-$(dirname "$0")}"
umask 077
for file in service.env postgres.env; do
  if [ -e "$file" ]; then
    echo "$file is there already" >&2
    exit 1
  fi
done

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
password=$(random)

cat > postgres.env <<END
POSTGRES_USER=transport
POSTGRES_DB=transport
POSTGRES_PASSWORD=$password
POSTGRES_INITDB_ARGS=--data-checksums
END
cat > service.env <<END
DATABASE_URL=postgres://transport:$password@postgres:5432/transport
MASTER_KEY=$(random)
SIGNING_KEY=$(random)
END
