-- How far the scans of a device have come without a gap: the number below which it may forget what it sent.
create table access.wms_devices (
  business  integer not null,
  device_id text collate "C" not null,
  next_seq  integer not null,
  primary key (business, device_id)
);
-- What devices were told until now.
insert into access.wms_devices (business, device_id, next_seq)
select business, device_id, max(seq) + 1 from access.wms_ops where seq < 2147483647 group by business, device_id;
-- What is under way, of which there is never much.
create index on access.wms_ops (business, device_id, seq) where outcome is null;
