-- A row of the read model of alliances opens nothing while it is older than this: a revocation holds from the moment that it is
-- written here, in every process, however far behind the read model is, also while it is made anew.
create table access.alliance_floors (
  alliance_id integer primary key,
  revision    integer not null
);

-- Who read what through which grant: one row a minute.
create table access.alliance_uses (
  alliance_id   integer not null,
  grant_id      integer not null,
  from_business integer not null,
  by_business   integer not null,
  user_id       integer not null,
  operation     text collate "C" not null,
  -- A tracking number, the id of an order; '' for a list.
  subject       text collate "C" not null,
  used_at       timestamptz not null,
  primary key (alliance_id, grant_id, user_id, operation, subject, used_at)
);
create index on access.alliance_uses (alliance_id, from_business, used_at);
create index on access.alliance_uses (used_at);
