-- Effects: calls to external systems that must take effect once. Their steps are events; a follower of the log adds the rows.
create table access.effects (
  effect_id  uuid primary key,
  stream     text collate "C" not null,
  kind       text collate "C" not null,
  business   integer not null,
  -- The subject within the stream, such as the id of a package.
  about      text not null,
  adapter    text collate "C" not null,
  account    text collate "C" not null,
  step       text not null check (step in ('begun', 'reserved', 'left_open', 'done', 'refused')),
  begun_at   timestamptz not null,
  -- Time of the next call. Null: no worker continues the effect.
  next_at    timestamptz,
  -- Calls whose result was unknown.
  attempts   integer not null default 0,
  -- Why the result of the last call is unknown: a code.
  cause      text,
  -- Number of claims so far. The first worker knows that nothing was sent before.
  claims     integer not null default 0,
  worker     uuid,
  busy_until timestamptz,
  ended_at   timestamptz
);
create index on access.effects (next_at) where next_at is not null;
create index on access.effects (business, begun_at, effect_id);
create index on access.effects (ended_at) where ended_at is not null;

-- Keys of businesses at external systems. Events contain only the id.
create table access.credentials (
  id          uuid primary key,
  business    integer not null,
  kind        text collate "C" not null,
  -- Encrypted with the id as context, so a value that is copied to another row cannot be decrypted.
  sealed      bytea not null,
  created_at  timestamptz not null default now(),
  -- A replaced credential is deleted a day later.
  replaced_at timestamptz
);
create index on access.credentials (replaced_at) where replaced_at is not null;

-- Signed messages of external systems, and their processing.
create table access.inbox (
  id          uuid primary key,
  business    integer not null,
  adapter     text collate "C" not null,
  account     text collate "C" not null,
  message_id  text collate "C" not null,
  received_at timestamptz not null default now(),
  -- Encrypted. Null: deleted because of its age.
  body        bytea,
  done_at     timestamptz,
  -- Time of the next attempt. Null: processed, or failed too often.
  next_at     timestamptz default now(),
  attempts    integer not null default 0,
  -- Why the last attempt failed: a code.
  error       text,
  worker      uuid,
  busy_until  timestamptz,
  unique (adapter, account, message_id)
);
create index on access.inbox (adapter, account, received_at, id) where next_at is not null;
create index on access.inbox (business, received_at, id) where done_at is null;
create index on access.inbox (received_at) where body is not null;
