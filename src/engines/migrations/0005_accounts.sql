-- Secrets and sessions of users, which must not be stored in the log. Accounts and their permissions are events.
create table access.logins (
  account       integer primary key,
  -- HMAC of the address, with a key that is derived from MASTER_KEY. It allows lookups, but the address cannot be read from it.
  email         bytea not null unique,
  -- argon2id hash with its parameters. Null: the user must set a password first.
  password      text,
  created_at    timestamptz not null default now()
);

create table access.tokens (
  id         uuid primary key,
  -- SHA-256. Tokens are random with 256 bits, so they need no key stretching.
  hash       bytea not null unique,
  account    integer not null,
  kind       text not null check (kind in ('login', 'api_key', 'oauth')),
  scopes     text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index on access.tokens (account);
create index on access.tokens (expires_at);

-- Consecutive failed sign-ins by address (as in logins), also for addresses without an account.
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

-- Ids that are reserved for a command. A retry gets the same ids, even if the first request was interrupted.
create table access.reserved_ids (
  command_id  uuid not null,
  sequence    text not null,
  ids         bigint[] not null,
  reserved_at timestamptz not null default now(),
  primary key (command_id, sequence)
);
create index on access.reserved_ids (reserved_at);
