-- Search index of customer accounts: keyed hashes of trigrams. A follower of the log that has the keys writes them
-- (src/projections/customers/search.ts). The transaction that destroys the key of an account deletes its row.
create schema customer_search;

create table customer_search.texts (
  -- Account of the customer.
  id       integer primary key,
  business integer not null,
  -- Null: unknown.
  name     integer[],
  phone    integer[]
);
create index on customer_search.texts using gin (name);
create index on customer_search.texts using gin (phone);

create function customer_search.forget() returns trigger language plpgsql as $$
begin
  delete from customer_search.texts where id = substring(new.subject from '^account-(\d{1,9})$')::integer;
  return null;
end $$;

create trigger forget_customer after insert or update on vault.subject_keys
  for each row when (new.destroyed_at is not null and new.subject like 'account-%') execute function customer_search.forget();
