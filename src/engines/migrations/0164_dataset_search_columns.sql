-- The trigrams of a record are stored column after column, so that a search can leave out the columns that the caller
-- may not read. The follower writes the index again from the beginning of the log.
delete from projections.checkpoints where name = 'dataset_search';
truncate dataset_search.texts;

alter table dataset_search.texts
  -- Codes of the columns with trigrams in `open`, in the order of their trigrams.
  add column open_columns     text[] not null,
  -- Number of trigrams in `open` up to and including those of the column.
  add column open_ends        integer[] not null,
  add column personal_columns text[] not null,
  add column personal_ends    integer[] not null;

create or replace function dataset_search.forget() returns trigger language plpgsql as $$
begin
  update dataset_search.texts set personal = '{}', personal_columns = '{}', personal_ends = '{}' where subject = new.subject;
  return null;
end $$;
