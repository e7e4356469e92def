/** Tables of the read model of orders. */
import { EXCEPTIONS_TABLE } from './exceptions.js';
import { ENDED_BADLY, hasOpenStop, isUnderWay } from './status-conditions.js';

export const TABLES = `
  create table :schema.orders (
    id            integer primary key,
    business      integer not null,
    type          text not null,
    order_ref     text collate "C",
    customer_id   integer,
    schedule_date text collate "C",
    self_delivery boolean not null,
    status        text not null,
    status_since  text collate "C" not null,
    status_id     integer not null,
    hold_reason   text,
    exception     boolean not null,
    route_id      integer,
    assignment_id integer,
    broker_id     integer,
    third_party   text,
    third_party_since text collate "C",
    offered_until text collate "C",
    free_since    text collate "C" not null,
    last_scan_at     text collate "C",
    last_scan_code   text,
    last_scan_reason text,
    last_scan_driver integer,
    warehouse_id  integer,
    planning      json,
    replaces      integer,
    replaced_by   integer,
    created_by    integer,
    created_at    text collate "C" not null,
    updated_at    text collate "C" not null,
    revision      integer not null,
    pickup_postal_code   text collate "C",
    delivery_postal_code text collate "C",
    packages      json not null,
    time_windows  json not null,
    first_window_end text collate "C",
    created       json not null,
    instruction   json,
    note          json,
    returned      json not null,
    pickup_located   json,
    delivery_located json
  )
  -- An order changes again and again: where its next version finds room on its page, no index needs a new entry.
  with (fillfactor = 50);
  create index on :schema.orders (business, id);
  create index on :schema.orders (business, schedule_date, id);
  create index on :schema.orders (business, status, id);
  create index on :schema.orders (business, order_ref) where order_ref is not null;
  create index on :schema.orders (route_id) where route_id is not null;
  create index on :schema.orders (business, route_id) where route_id is not null and ${hasOpenStop()};
  create index on :schema.orders (business, schedule_date, first_window_end)
    where first_window_end is not null and ${isUnderWay()};
  create index on :schema.orders (business, id) where third_party is not null and ${isUnderWay()};
  create index on :schema.orders (business, status_since) where ${ENDED_BADLY};
  create index on :schema.orders (business, customer_id, id) where customer_id is not null;
  -- The orders of a contractor have a table of their own: an index would make an assignment write to all other indexes.
  create table :schema.contractor_orders (
    broker_id integer,
    order_id  integer,
    primary key (broker_id, order_id)
  );
  -- Whose package a number, or a tracking of the timeline, is.
  create table :schema.packages (
    tracking_number text collate "C" primary key,
    tracking        uuid not null,
    order_id        integer not null,
    external_tracking_number text collate "C"
  );
  create index on :schema.packages (tracking);
  create index on :schema.packages (external_tracking_number) where external_tracking_number is not null;${EXCEPTIONS_TABLE}`;
