-- References of orders that are being made, in businesses where each may be used once: the read model that knows the
-- others is a moment behind. Hashes, since a reference may name a person.
create table access.order_refs (
  business integer not null,
  ref bytea not null,
  order_id integer not null,
  claimed_at timestamptz not null default now(),
  primary key (business, ref)
);
create index on access.order_refs (claimed_at);
