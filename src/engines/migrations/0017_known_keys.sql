-- Secrets of the service, each for one purpose, wrapped by MASTER_KEY: another MASTER_KEY wraps them anew and nothing else
-- changes. The first ones are those that used to follow from MASTER_KEY.
create table vault.secrets (
  purpose text collate "C" primary key,
  wrapped bytea not null
);

-- Which MASTER_KEY and SIGNING_KEY the database belongs to: a process with another one must not write.
create table vault.known_keys (
  name        text not null check (name in ('MASTER_KEY', 'SIGNING_KEY')),
  -- Of the master key a value that follows from it and tells nothing of it; of the signing key the public key.
  fingerprint bytea not null,
  since       timestamptz not null default now(),
  -- Null: in use now.
  until       timestamptz,
  primary key (name, fingerprint)
);
create unique index on vault.known_keys (name) where until is null;
