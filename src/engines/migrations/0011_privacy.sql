-- Stored responses may contain data of a person who was erased later. Responses of claims up to this time must not be stored or
-- returned.
create table access.answers_dropped (
  one boolean primary key default true check (one),
  at  timestamptz not null
);
