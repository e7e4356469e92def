-- Card payments whose state the service reads at the provider, because a message may be lost. A follower of the log adds the rows.
create table access.payment_reads (
  top_up_id  integer primary key,
  stream     text collate "C" not null,
  -- The reads become rarer from this time on.
  begun_at   timestamptz not null default now(),
  -- Time of the next read.
  next_at    timestamptz not null,
  -- Number of reads that have ended.
  reads      integer not null default 0,
  worker     uuid,
  busy_until timestamptz
);
create index on access.payment_reads (next_at);
