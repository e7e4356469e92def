-- Users' secrets and sessions: what must not stand in the log. Who there is, and what they may do, is in events.
create table access.logins (
  account       integer primary key,
  -- HMAC of the address under a key that follows from MASTER_KEY: found by it, and readable for nobody.
  email         bytea not null unique,
  -- argon2id, with its parameters; null: a password must be set first.
  password      text,
  created_at    timestamptz not null default now()
);

create table access.tokens (
  id         uuid primary key,
  -- SHA-256: tokens are random, 256 bits; nothing to stretch.
  hash       bytea not null unique,
  account    integer not null,
  kind       text not null check (kind in ('login', 'api_key', 'oauth')),
  scopes     text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index on access.tokens (account);
create index on access.tokens (expires_at);

-- Failed sign-ins in a row, by address (as in logins) whether anybody has it or not.
create table access.attempts (
  email        bytea primary key,
  failures     integer not null,
  locked_until timestamptz,
  last_at      timestamptz not null default now()
);

create sequence access.businesses_id;
create sequence access.users_id;
create sequence access.orders_id;
create sequence access.routes_id;
create sequence access.assignments_id;
create sequence access.packages_id;

-- Ids drawn for a command that may come again: a retry, even of a request that died half-way, gets the same ones.
create table access.reserved_ids (
  command_id  uuid not null,
  sequence    text not null,
  ids         bigint[] not null,
  reserved_at timestamptz not null default now(),
  primary key (command_id, sequence)
);
create index on access.reserved_ids (reserved_at);
