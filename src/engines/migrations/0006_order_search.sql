-- Fuzzy search over orders needs names and phones in the open. They stand here alone, outside every read model, written by a
-- follower of the log that has the keys (src/projections/order-search.ts), and vanish in the transaction that destroys the key.
create extension if not exists pg_trgm;
create schema order_search;

create table order_search.texts (
  order_id integer primary key,
  -- Of the personal data in `person`.
  subject  text collate "C" not null unique,
  business integer not null,
  -- Tracking numbers, numbers of other systems, the client's reference.
  numbers  text not null,
  -- Names and phones of both ends.
  person   text not null,
  -- Streets and places of both ends.
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
