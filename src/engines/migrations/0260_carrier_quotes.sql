-- Rates of carriers: the account, the method, the cost and the rated shipment. Null: the business delivers itself.
alter table access.quotes add column carrier jsonb;
-- A rate of a carrier without a rate card has a cost and no price.
alter table access.quotes alter column rate_card_id drop not null;
alter table access.quotes alter column card_version drop not null;
alter table access.quotes alter column total drop not null;
alter table access.quotes alter column outcome drop not null;
