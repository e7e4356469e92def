-- Quoted prices. A row is not a fact of the log: an order that uses a quote copies it into its own events.
create table access.quotes (
  rate_id text collate "C" primary key,
  business integer not null,
  -- The customer that the price is for; null: quoted by staff for nobody in particular.
  customer_id integer,
  quoted_by integer not null,
  family text not null,
  service_code text not null,
  rate_card_id integer not null,
  card_version integer not null,
  -- Without names, streets and phone numbers; positions are rounded.
  inputs jsonb not null,
  inputs_digest text collate "C" not null,
  currency text not null,
  total numeric(18, 4) not null,
  -- The calculated service with its lines.
  outcome jsonb not null,
  created_at timestamptz not null,
  valid_until timestamptz not null,
  -- The order that used the quote.
  used_by integer,
  claimed_at timestamptz
);
create index on access.quotes (valid_until) where used_by is null;
create index on access.quotes (customer_id) where customer_id is not null;
