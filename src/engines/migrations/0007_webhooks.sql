-- What is told to the businesses' own systems. Settings are events; secrets and attempts are not.
create table access.webhook_secrets (
  id         uuid primary key,
  business   integer not null,
  -- Sealed under the master key: signing needs the secret itself.
  sealed     bytea not null,
  created_at timestamptz not null default now(),
  -- The one before the newest goes on for a while beside it.
  expires_at timestamptz
);
create index on access.webhook_secrets (business);

create schema webhooks;

-- One row per event and kind of webhook. What is sent is made from the log when it is sent: nothing personal stands here.
create table webhooks.deliveries (
  -- Also the webhook-id: derived from event and kind, so that nothing is told under two names.
  id          uuid primary key,
  business    integer not null,
  kind        text collate "C" not null,
  -- The event; null for a test.
  stream      text collate "C",
  revision    integer,
  recorded_at timestamptz not null,
  state       text not null check (state in ('pending', 'delivered', 'failed', 'skipped')),
  -- Of a pending one: when the next attempt is due, or, while one is under way, when it is taken for lost.
  due_at      timestamptz not null default now(),
  attempts    integer not null default 0,
  -- As many attempts are made in all; a replay raises it.
  most        integer not null,
  created_at  timestamptz not null default now(),
  finished_at timestamptz,
  -- Why the last attempt failed, or why none was made.
  error       text,
  -- Address of a test, sealed under the master key.
  target      bytea,
  check ((stream is null) = (revision is null) and (stream is null) = (target is not null))
);
create index on webhooks.deliveries (business, created_at, id);
create index on webhooks.deliveries (business, kind, due_at) where state = 'pending';
create index on webhooks.deliveries (created_at);

create table webhooks.attempts (
  delivery uuid not null references webhooks.deliveries on delete cascade,
  attempt  integer not null,
  at       timestamptz not null,
  ms       integer not null,
  status   integer,
  error    text,
  -- Both sealed under the master key: addresses hold tokens, and an answer is somebody else's text.
  target   bytea not null,
  answer   bytea,
  primary key (delivery, attempt)
);
