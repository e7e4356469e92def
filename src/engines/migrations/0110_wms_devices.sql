-- The end of the contiguous scans of a device. The device can delete its scans with lower numbers.
create table access.wms_devices (
  business  integer not null,
  device_id text collate "C" not null,
  next_seq  integer not null,
  primary key (business, device_id)
);
-- The numbers that devices received before this migration.
insert into access.wms_devices (business, device_id, next_seq)
select business, device_id, max(seq) + 1 from access.wms_ops where seq < 2147483647 group by business, device_id;
-- Scans in progress, of which there are always few.
create index on access.wms_ops (business, device_id, seq) where outcome is null;
