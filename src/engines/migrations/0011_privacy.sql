-- Kept answers may speak of a person who was erased since: none that was claimed up to this moment may be kept or shown any more.
create table access.answers_dropped (
  one boolean primary key default true check (one),
  at  timestamptz not null
);
