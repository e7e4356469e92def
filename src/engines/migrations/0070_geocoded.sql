-- What servers said of addresses. The address is a keyed hash, the answer sealed; all of it goes whenever a person is erased.
create table access.geocoded (
  geocoder text collate "C" not null,
  asked    bytea not null,
  answer   bytea not null,
  at       timestamptz not null default now(),
  primary key (geocoder, asked)
);
-- When a server may be asked next, by whichever process.
create table access.geocoder_turns (
  geocoder text collate "C" primary key,
  next_at  timestamptz not null
);
