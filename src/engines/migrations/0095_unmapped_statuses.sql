-- Raw statuses that the mapping table of a provider did not contain. Rejected statuses are not stored in events, so they are counted
-- here.
create table access.unmapped_statuses (
  provider        text collate "C" not null,
  raw             text collate "C" not null,
  seen            bigint not null,
  first_seen_at   timestamptz not null,
  last_seen_at    timestamptz not null,
  tracking_number text,
  primary key (provider, raw)
);
