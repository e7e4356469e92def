-- The runner of timers works in four ranges of streams. Who has one renews it each round; a dead one's is taken over.
create table access.timer_ranges (
  range       integer primary key,
  owner       uuid,
  lease_until timestamptz
);
insert into access.timer_ranges (range) values (0), (1), (2), (3);

-- Timers that have come and led to no event: their streams wanted nothing of them (`again_at` null), or could not take them.
create table access.timers_put_off (
  stream   text collate "C" not null,
  name     text collate "C" not null,
  at       bigint not null,
  tries    integer not null default 1,
  -- Milliseconds since 1970.
  again_at bigint,
  primary key (stream, name, at)
);
