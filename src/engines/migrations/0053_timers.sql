-- The timer runner divides streams into four ranges. The owner of a range renews its lease in each round. After the lease has expired,
-- another process can take over the range.
create table access.timer_ranges (
  range       integer primary key,
  owner       uuid,
  lease_until timestamptz
);
insert into access.timer_ranges (range) values (0), (1), (2), (3);

-- Due timers that caused no event: the stream ignored them (`again_at` is null), or could not process them.
create table access.timers_put_off (
  stream   text collate "C" not null,
  name     text collate "C" not null,
  at       bigint not null,
  tries    integer not null default 1,
  -- Milliseconds since 1970.
  again_at bigint,
  primary key (stream, name, at)
);
