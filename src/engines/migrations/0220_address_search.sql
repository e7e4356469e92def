-- Search index and duplicate check of address books. Both contain keyed hashes only. A follower of the log that has the keys writes
-- them (src/projections/addresses/search.ts). The transaction that destroys the key of an entry also deletes its rows.
create schema address_search;

create table address_search.texts (
  address_id  integer primary key,
  -- Subject of the personal data of the entry.
  subject     text collate "C" not null unique,
  business    integer not null,
  -- The customer who owns the entry; null: the business.
  customer_id integer,
  -- Hashes of the trigrams of label, name, company and address.
  words       integer[] not null
);
create index on address_search.texts using gin (words);

-- The entry that has an address. A save claims the address before it appends an event, so simultaneous saves agree on one entry.
create table address_search.keys (
  business      integer not null,
  -- The customer who owns the entry; 0: the business.
  customer      integer not null,
  -- Keyed hash of the normalized address.
  key           bytea not null,
  address_id    integer not null,
  -- Time of a claim whose entry the follower has not read yet. Null: the entry exists.
  pending_since timestamptz,
  primary key (business, customer, key)
);
create index on address_search.keys (address_id);
create index on address_search.keys (pending_since) where pending_since is not null;

create function address_search.forget() returns trigger language plpgsql as $$
begin
  delete from address_search.texts where subject = new.subject;
  delete from address_search.keys where address_id = substring(new.subject from 9)::bigint;
  return null;
end $$;

create trigger forget_address after insert or update on vault.subject_keys
  for each row when (new.destroyed_at is not null and new.subject ~ '^address-\d{1,10}$') execute function address_search.forget();
