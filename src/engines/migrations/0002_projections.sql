-- The position that each projection has reached, and the process that runs it. Rows and checkpoint change in one transaction (G3).
create schema projections;

create table projections.checkpoints (
  name       text primary key,
  -- Version of the projection that created the tables.
  version    integer not null,
  position   text collate "C" not null default '',
  -- The process that holds the projection until `lease_until`. After that time, another process can take over.
  owner      uuid,
  lease_until timestamptz,
  updated_at timestamptz not null default now()
);

-- Streams with an event that the projection could not process. Only these streams stop; the projection continues with the
-- others. A rebuild clears them.
create table projections.quarantine (
  name     text not null,
  stream   text collate "C" not null,
  position text collate "C" not null,
  error    text not null,
  at       timestamptz not null default now(),
  primary key (name, stream)
);

-- The engine of the log that the read models are computed from. Positions of different engines are not comparable.
create table projections.source (
  one    boolean primary key default true check (one),
  engine text not null
);
