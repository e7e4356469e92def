-- Scans with their outcomes. A repeated scan gets the same response, and rejected scans are stored until a person settles them. The
-- effects are events. The only personal reference is the user who scanned.
create table access.wms_ops (
  business     integer not null,
  device_id    text collate "C" not null,
  op_id        uuid not null,
  seq          integer not null,
  user_id      integer not null,
  warehouse_id integer not null,
  body         json not null,
  received_at  timestamptz not null default now(),
  -- Null: in progress.
  outcome      text,
  result       json,
  settled_at   timestamptz,
  primary key (business, device_id, op_id)
);
create index on access.wms_ops (business, device_id, seq);
create index on access.wms_ops (business, received_at) where outcome in ('conflict', 'rejected') and settled_at is null;
