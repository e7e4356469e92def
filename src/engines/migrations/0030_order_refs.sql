-- References of orders that are being created, in businesses that require unique references. The read model knows the other references
-- but may be slightly behind. References are stored as hashes, because a reference may contain a name.
create table access.order_refs (
  business integer not null,
  ref bytea not null,
  order_id integer not null,
  claimed_at timestamptz not null default now(),
  primary key (business, ref)
);
create index on access.order_refs (claimed_at);
