-- Where drivers on duty were in the last days: sealed under the account of each. No event, in no backup, and lost in a
-- crash. A day's places lie in one of 32 slots, which is emptied as a whole.
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
