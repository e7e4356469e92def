-- Who may come in, and what they already asked. Secrets are kept as hashes only.
create schema access;

create table access.provider_keys (
  id         uuid primary key,
  provider   text not null,
  -- SHA-256: keys are random, 256 bits; nothing to stretch.
  hash       bytea not null unique,
  created_at timestamptz not null default now(),
  -- A rotated key goes on for a while beside its successor.
  expires_at timestamptz
);
create index on access.provider_keys (provider);

-- Claims of Idempotency-Key: written first, so that a retry, even of a request that died half-way, sees the same ids and time.
create table access.idempotency (
  principal   text not null,
  key         text not null,
  fingerprint bytea not null,
  command_id  uuid not null,
  claimed_at  timestamptz not null default now(),
  -- The attempt under way; a dead one's claim is free after that.
  busy_until  timestamptz,
  -- Which attempt that is.
  attempt     uuid not null default gen_random_uuid(),
  -- Encrypted answer (status, body, position), once there is one.
  answer      bytea,
  primary key (principal, key)
);
create index on access.idempotency (claimed_at);
