-- Webhooks to the systems of businesses. Settings are events; secrets and attempts are not.
create table access.webhook_secrets (
  id         uuid primary key,
  business   integer not null,
  -- Encrypted with the master key, because signing needs the secret itself.
  sealed     bytea not null,
  created_at timestamptz not null default now(),
  -- The previous secret stays valid for some time in addition to the newest one.
  expires_at timestamptz
);
create index on access.webhook_secrets (business);

create schema webhooks;

-- One row per event and kind of webhook. The payload is created from the log when it is sent, so no personal data is stored here.
create table webhooks.deliveries (
  -- Also the webhook-id. It is derived from the event and the kind, so that no webhook is sent with two ids.
  id          uuid primary key,
  business    integer not null,
  kind        text collate "C" not null,
  -- The event. Null for a test.
  stream      text collate "C",
  revision    integer,
  recorded_at timestamptz not null,
  state       text not null check (state in ('pending', 'delivered', 'failed', 'skipped')),
  -- For a pending delivery: time of the next attempt, or the time at which the current attempt is considered lost.
  due_at      timestamptz not null default now(),
  attempts    integer not null default 0,
  -- Maximum number of attempts. A replay increases it.
  most        integer not null,
  created_at  timestamptz not null default now(),
  finished_at timestamptz,
  -- Reason why the last attempt failed, or why there was no attempt.
  error       text,
  -- Address of a test, encrypted with the master key.
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
  -- Both are encrypted with the master key, because addresses can contain tokens, and responses contain text of third parties.
  target   bytea not null,
  answer   bytea,
  primary key (delivery, attempt)
);
