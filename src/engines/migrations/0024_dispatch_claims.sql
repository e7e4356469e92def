-- Decisions on orders or routes that are being executed. Of two concurrent decisions, one is rejected because the item changed.
create table access.dispatch_claims (
  -- Stream of the order or route.
  subject  text collate "C" primary key,
  decision uuid not null,
  -- End of the claim. After that time, another process can claim the subject.
  until    timestamptz not null
);
