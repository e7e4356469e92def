-- Files that people upload and the service issues. Their bytes are sealed under the key of the subject: to destroy it erases them.
create table vault.files (
  id         uuid primary key,
  -- Where its bytes lie; another one once they are sealed under another key.
  place      uuid not null,
  business   integer not null,
  -- User id of who brought it.
  owner      integer not null,
  subject    text collate "C" not null,
  purpose    text not null,
  media_type text not null,
  -- Of the content.
  sha256     bytea not null,
  size       integer not null,
  created_at timestamptz not null,
  -- Since when something refers to it.
  used_at    timestamptz,
  -- It is to be removed.
  ended_at   timestamptz
);
create index on vault.files (subject);
create index on vault.files (created_at) where used_at is null;
create index on vault.files (ended_at) where ended_at is not null;

-- Where no bucket is configured; pieces of at most 1 MiB.
create table vault.file_chunks (
  place   uuid not null,
  number  integer not null,
  content bytea not null,
  primary key (place, number)
);
