-- Top-ups that are being created. The read model knows the other ones but may be slightly behind, so limits per account count both.
create table access.top_up_claims (
  top_up_id integer primary key,
  account_id integer not null,
  claimed_at timestamptz not null default now()
);
create index on access.top_up_claims (account_id);
create index on access.top_up_claims (claimed_at);
