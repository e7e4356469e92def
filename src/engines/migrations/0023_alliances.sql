-- Minimum revision of an alliance in the read model. Older rows grant no access. A revocation therefore takes effect in every process
-- when it is written here, even if the read model is behind or is being rebuilt.
create table access.alliance_floors (
  alliance_id integer primary key,
  revision    integer not null
);

-- Reads through grants: user, operation and subject. At most one row per minute.
create table access.alliance_uses (
  alliance_id   integer not null,
  grant_id      integer not null,
  from_business integer not null,
  by_business   integer not null,
  user_id       integer not null,
  operation     text collate "C" not null,
  -- Tracking number or order id. '' for a list.
  subject       text collate "C" not null,
  used_at       timestamptz not null,
  primary key (alliance_id, grant_id, user_id, operation, subject, used_at)
);
create index on access.alliance_uses (alliance_id, from_business, used_at);
create index on access.alliance_uses (used_at);
