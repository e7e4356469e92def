-- Names, phones, streets and places no longer stand in the open: what is found by them are keyed hashes of trigrams. The rows
-- are written anew from the log. What backups, archives of the WAL and standbys hold of before is the operator's to remove:
-- docs/production.md.
drop table order_search.texts;

create table order_search.texts (
  order_id integer primary key,
  -- Of the personal data in `person` and `address`.
  subject  text collate "C" not null unique,
  business integer not null,
  -- Tracking numbers, numbers of other systems, the client's reference: of things, in clear.
  numbers  text not null,
  -- Of names and companies of both ends.
  person   integer[] not null,
  -- Of their phones.
  phone    integer[] not null,
  -- Of streets and places of both ends.
  address  integer[] not null
);
create index on order_search.texts using gin (numbers gin_trgm_ops, person, phone, address);
create index on order_search.texts (business);

create or replace function order_search.forget() returns trigger language plpgsql as $$
begin
  update order_search.texts set person = '{}', phone = '{}', address = '{}' where subject = new.subject;
  return null;
end $$;

delete from projections.checkpoints where name = 'order_search';
