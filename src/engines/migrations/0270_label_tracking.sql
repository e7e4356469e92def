-- Parcels with the label of a carrier, by the timelines of their tracking numbers. A follower of the log adds the rows. A
-- number that a carrier uses again belongs to the parcel of the newest order.
create table access.label_parcels (
  tracking        uuid primary key,
  business        integer not null,
  account_id      integer not null,
  order_id        integer not null,
  package_id      text collate "C" not null,
  tracking_number text collate "C" not null,
  -- The shipment at the carrier.
  remote_id       text collate "C" not null
);
-- Questions that the service asks carriers at intervals: `tracking` about a parcel, `void` about the voids of an order.
create table access.label_polls (
  kind       text collate "C" not null check (kind in ('tracking', 'void')),
  order_id   integer not null,
  -- `tracking`: the timeline of the parcel. `void`: empty.
  about      text collate "C" not null,
  account_id integer not null,
  -- The polls end some time after this.
  begun_at   timestamptz not null,
  next_at    timestamptz not null,
  -- Number of polls that have ended.
  polls      integer not null default 0,
  primary key (kind, order_id, about)
);
create index on access.label_polls (account_id, next_at);
create index on access.label_polls (begun_at);
