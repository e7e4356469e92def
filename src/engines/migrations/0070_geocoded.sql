-- Responses of geocoding servers. The address is a keyed hash, and the response is encrypted. All rows are deleted when a person is
-- erased.
create table access.geocoded (
  geocoder text collate "C" not null,
  asked    bytea not null,
  answer   bytea not null,
  at       timestamptz not null default now(),
  primary key (geocoder, asked)
);
-- Time of the next permitted request to a server, for all processes together.
create table access.geocoder_turns (
  geocoder text collate "C" primary key,
  next_at  timestamptz not null
);
