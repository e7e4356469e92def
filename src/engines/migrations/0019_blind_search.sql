-- Names, phone numbers, streets and towns are no longer stored unencrypted. The search uses keyed hashes of their trigrams. The rows
-- are written again from the log. Operators must remove earlier data from backups, WAL archives and standbys (docs/production.md).
drop table order_search.texts;

create table order_search.texts (
  order_id integer primary key,
  -- Subject of the personal data in `person`, `phone` and `address`.
  subject  text collate "C" not null unique,
  business integer not null,
  -- Tracking numbers, numbers of other systems, and the reference of the client. They are not personal data, so they are stored
  -- unencrypted.
  numbers  text not null,
  -- Hashes of names and companies of sender and recipient.
  person   integer[] not null,
  -- Hashes of their phone numbers.
  phone    integer[] not null,
  -- Hashes of streets and towns of sender and recipient.
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
