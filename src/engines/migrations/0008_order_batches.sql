-- Batches of orders that were queued. The work is encrypted and goes once it is done; results hold ids and error codes alone.
create table access.order_batches (
  id          uuid primary key,
  business    integer not null,
  total       integer not null,
  queued_at   timestamptz not null default now(),
  finished_at timestamptz,
  -- The worker on it; a dead one's batch is free after that.
  busy_until  timestamptz,
  worker      uuid,
  work        bytea,
  results     json not null default '[]'
);
create index on access.order_batches (queued_at) where finished_at is null;
