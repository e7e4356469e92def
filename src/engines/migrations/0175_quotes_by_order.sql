-- Erasing an order deletes its quote.
create index on access.quotes (used_by) where used_by is not null;
