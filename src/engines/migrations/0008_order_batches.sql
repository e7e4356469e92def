-- Queued batches of orders. The work is encrypted and is deleted when it is done. Results contain only ids and error codes.
create table access.order_batches (
  id          uuid primary key,
  business    integer not null,
  total       integer not null,
  queued_at   timestamptz not null default now(),
  finished_at timestamptz,
  -- End of the worker's lease. After that time, another worker can take the batch.
  busy_until  timestamptz,
  worker      uuid,
  work        bytea,
  results     json not null default '[]'
);
create index on access.order_batches (queued_at) where finished_at is null;
