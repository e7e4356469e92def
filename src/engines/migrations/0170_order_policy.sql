-- Events that orders must follow. A fast reader of the log fills the queue, so that the events of one business never keep those of
-- another from being read. The log contains the events; a row only names one. Rows are created in the transaction of the checkpoint.
create schema order_policy;

create table order_policy.pending (
  stream          text collate "C" not null,
  revision        integer not null,
  position        text collate "C" not null,
  order_id        integer not null,
  business        integer not null,
  -- Of the scanned package; null for events of the order itself.
  tracking_number text,
  -- Time of the event (RFC 3339), for the lag.
  recorded_at     text not null,
  primary key (stream, revision)
);
create index on order_policy.pending (business, position);
create index on order_policy.pending (position);
