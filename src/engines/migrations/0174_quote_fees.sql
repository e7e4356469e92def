-- The fee of the card for a late cancellation. An order that uses the quote copies it.
alter table access.quotes add column cancellation_fee jsonb;
