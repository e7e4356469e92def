-- Credentials of callers, and their earlier requests. Secrets are stored only as hashes.
create schema access;

create table access.provider_keys (
  id         uuid primary key,
  provider   text not null,
  -- SHA-256. Keys are random with 256 bits, so they need no key stretching.
  hash       bytea not null unique,
  created_at timestamptz not null default now(),
  -- A rotated key stays valid for some time in addition to its successor.
  expires_at timestamptz
);
create index on access.provider_keys (provider);

-- Claims of an Idempotency-Key. A claim is written first, so that a retry gets the same ids and time, even if the request was
-- interrupted.
create table access.idempotency (
  principal   text not null,
  key         text not null,
  fingerprint bytea not null,
  command_id  uuid not null,
  claimed_at  timestamptz not null default now(),
  -- End of the claim of the current attempt. After that time, another attempt can claim the key.
  busy_until  timestamptz,
  -- Id of the current attempt.
  attempt     uuid not null default gen_random_uuid(),
  -- Encrypted response (status, body, position). Null before the response exists.
  answer      bytea,
  primary key (principal, key)
);
create index on access.idempotency (claimed_at);
