-- How far each projection has read, and which process works on it. Rows and checkpoint change in one transaction (G3).
create schema projections;

create table projections.checkpoints (
  name       text primary key,
  -- Of the projection that made the tables.
  version    integer not null,
  position   text collate "C" not null default '',
  -- The process that holds the projection, until when; a dead one's work is taken over after that.
  owner      uuid,
  lease_until timestamptz,
  updated_at timestamptz not null default now()
);

-- Streams that a fold could not take: they stand still, visibly, and the rest goes on. A rebuild clears them.
create table projections.quarantine (
  name     text not null,
  stream   text collate "C" not null,
  position text collate "C" not null,
  error    text not null,
  at       timestamptz not null default now(),
  primary key (name, stream)
);

-- Which engine's log the read models are folded from: positions of two engines never meet.
create table projections.source (
  one    boolean primary key default true check (one),
  engine text not null
);
