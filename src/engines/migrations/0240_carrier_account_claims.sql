-- New carrier accounts and ranges of numbers that the read models may not contain yet (src/engines/postgres/carrier-claims.ts).
-- They expire after ten minutes.
create table access.carrier_account_claims (
  carrier_account_id integer primary key,
  business           integer not null,
  -- The 17 digits of the first and the last number; null: the account has no numbers.
  first_number       text collate "C",
  last_number        text collate "C",
  claimed_at         timestamptz not null default now()
);
create index on access.carrier_account_claims (business);
create index on access.carrier_account_claims (claimed_at);
