-- Counts the files of a business that are not used yet, for upload quotas.
create index on vault.files (business, owner) where used_at is null and ended_at is null;
