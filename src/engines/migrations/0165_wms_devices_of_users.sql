-- A scanner belongs to a user: another user with the same device id has a separate sequence of numbers.
alter table access.wms_ops drop constraint wms_ops_pkey;
alter table access.wms_ops add primary key (business, user_id, device_id, op_id);
drop index access.wms_ops_business_device_id_seq_idx;
create index on access.wms_ops (business, user_id, device_id, seq);
drop index access.wms_ops_business_device_id_seq_idx1;
create index on access.wms_ops (business, user_id, device_id, seq) where outcome is null;
create index on access.wms_ops (business, device_id, op_id);
-- Rule of the command id: 1 without the user, 2 with the user. An operation that was interrupted before this migration keeps its id.
alter table access.wms_ops add column rule smallint not null default 1;

-- User 0: numbers that all users of a device received together before this migration. Its operations may be deleted already, so a
-- user of the device cannot be found in them.
alter table access.wms_devices add column user_id integer not null default 0;
alter table access.wms_devices alter column user_id drop default;
alter table access.wms_devices drop constraint wms_devices_pkey;
alter table access.wms_devices add primary key (business, user_id, device_id);
-- Each user of a device continues where the device was.
insert into access.wms_devices (business, device_id, user_id, next_seq)
select distinct d.business, d.device_id, o.user_id, d.next_seq
  from access.wms_devices d join access.wms_ops o using (business, device_id);
