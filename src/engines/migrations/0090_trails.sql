-- Positions of drivers on duty during the last days, encrypted with the key of their account. They are not events, are not part of
-- backups, and are lost in a crash. The positions of a day are in one of 32 partitions, which is truncated as a whole.
create table access.positions (
  slot      smallint not null,
  driver_id integer not null,
  at        timestamptz not null,
  box       bytea not null,
  primary key (driver_id, at, slot)
) partition by list (slot);
do $$
begin
  for slot in 0..31 loop
    execute format('create unlogged table access.positions_%s partition of access.positions for values in (%s)', slot, slot);
  end loop;
end $$
