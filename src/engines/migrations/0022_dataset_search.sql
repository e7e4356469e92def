-- Search index of dataset records: keyed hashes of trigrams. A follower of the log that has the keys writes them
-- (src/projections/datasets/search.ts). The transaction that destroys the key of a record clears the hashes of its personal columns.
create schema dataset_search;

create table dataset_search.texts (
  record     uuid primary key,
  -- Subject of the personal data in `personal`.
  subject    text collate "C" not null unique,
  dataset_id integer not null,
  open       integer[] not null,
  personal   integer[] not null
);
create index on dataset_search.texts using gin (open);
create index on dataset_search.texts using gin (personal);
create index on dataset_search.texts (dataset_id);

create function dataset_search.forget() returns trigger language plpgsql as $$
begin
  update dataset_search.texts set personal = '{}' where subject = new.subject;
  return null;
end $$;

create trigger forget_record after insert or update on vault.subject_keys
  for each row when (new.destroyed_at is not null and new.subject like 'record-%') execute function dataset_search.forget();
