-- Last position of each driver on duty, stored only while it is needed. Positions are not events, are not part of backups, and are
-- lost in a crash.
create unlogged table access.positions_last (
  driver_id   integer primary key,
  at          timestamptz not null,
  latitude    double precision not null,
  longitude   double precision not null,
  accuracy_m  real,
  received_at timestamptz not null
);
create index on access.positions_last (latitude, longitude);
create index on access.positions_last (received_at);
