-- Time at which an import of the file ended. Such a file is removed earlier and is not one of the unused files.
alter table vault.files add column released_at timestamptz;
create index on vault.files (released_at) where released_at is not null and used_at is null;
