-- Secrets of the service, one per purpose, wrapped by MASTER_KEY. After a change of MASTER_KEY they are only wrapped again. The first
-- secrets are those that were derived from MASTER_KEY before.
create table vault.secrets (
  purpose text collate "C" primary key,
  wrapped bytea not null
);

-- The MASTER_KEY and the SIGNING_KEY of the database. A process with other keys must not write.
create table vault.known_keys (
  name        text not null check (name in ('MASTER_KEY', 'SIGNING_KEY')),
  -- For the master key: a derived value that does not reveal the key. For the signing key: the public key.
  fingerprint bytea not null,
  since       timestamptz not null default now(),
  -- Null: currently in use.
  until       timestamptz,
  primary key (name, fingerprint)
);
create unique index on vault.known_keys (name) where until is null;
