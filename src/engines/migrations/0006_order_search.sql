-- Fuzzy search over orders needs unencrypted names and phone numbers. They are stored only here, outside of all read models. A
-- follower of the log that has the keys writes them (src/projections/order-search.ts). The transaction that destroys a key
-- clears them.
create extension if not exists pg_trgm;
create schema order_search;

create table order_search.texts (
  order_id integer primary key,
  -- Subject of the personal data in `person`.
  subject  text collate "C" not null unique,
  business integer not null,
  -- Tracking numbers, numbers of other systems, and the reference of the client.
  numbers  text not null,
  -- Names and phone numbers of sender and recipient.
  person   text not null,
  -- Streets and towns of sender and recipient.
  address  text not null
);
create index on order_search.texts using gin (numbers gin_trgm_ops, person gin_trgm_ops, address gin_trgm_ops);
create index on order_search.texts (business);

create function order_search.forget() returns trigger language plpgsql as $$
begin
  update order_search.texts set person = '', address = '' where subject = new.subject;
  return null;
end $$;

create trigger forget_order after insert or update on vault.subject_keys
  for each row when (new.destroyed_at is not null) execute function order_search.forget();
