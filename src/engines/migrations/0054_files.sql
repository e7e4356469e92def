-- Files that users upload or the service creates. Their content is encrypted with the key of the subject. Destroying the key erases
-- them.
create table vault.files (
  id         uuid primary key,
  -- Id of the stored content. It changes when the content is encrypted with another key.
  place      uuid not null,
  business   integer not null,
  -- Id of the user who uploaded it.
  owner      integer not null,
  subject    text collate "C" not null,
  purpose    text not null,
  media_type text not null,
  -- SHA-256 of the content.
  sha256     bytea not null,
  size       integer not null,
  created_at timestamptz not null,
  -- Time of the first reference to the file.
  used_at    timestamptz,
  -- Time at which the file was marked for removal.
  ended_at   timestamptz
);
create index on vault.files (subject);
create index on vault.files (created_at) where used_at is null;
create index on vault.files (ended_at) where ended_at is not null;

-- Used if no bucket is configured. Chunks have at most 1 MiB.
create table vault.file_chunks (
  place   uuid not null,
  number  integer not null,
  content bytea not null,
  primary key (place, number)
);
