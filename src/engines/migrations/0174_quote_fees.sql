-- The fee of the card for a late cancellation. An order that uses the quote copies it.
alter table access.quotes add column cancellation_fee jsonb;
-- Text, so that members keep their order: a repeated response then has the same bytes.
alter table access.quotes alter column outcome type json using outcome::json;
