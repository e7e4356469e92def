-- Where drivers on duty are: the last place alone, for as long as it is of use. No event, in no backup, and lost in a crash.
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
