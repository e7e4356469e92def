-- Raw statuses that a provider's table did not know: what was refused stands in no event, so it is counted here.
create table access.unmapped_statuses (
  provider        text collate "C" not null,
  raw             text collate "C" not null,
  seen            bigint not null,
  first_seen_at   timestamptz not null,
  last_seen_at    timestamptz not null,
  tracking_number text,
  primary key (provider, raw)
);
