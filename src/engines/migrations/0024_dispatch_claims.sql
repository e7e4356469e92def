-- Who is carrying out a decision on an order or a route at this moment: of two at once, one is told that it changed.
create table access.dispatch_claims (
  -- Stream of the order or the route.
  subject  text collate "C" primary key,
  decision uuid not null,
  -- A claim whose process died is free again.
  until    timestamptz not null
);
