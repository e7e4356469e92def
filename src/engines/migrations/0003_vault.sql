-- Keys that encrypt personal data, one per subject (a tracking, a person), each wrapped by the master key. Kept apart from the
-- log: destroying a key erases its subject from log, read models and backups at once.
create schema vault;

create table vault.subject_keys (
  subject      text collate "C" primary key,
  -- nonce (12), tag (16), wrapped key (32); null once destroyed.
  wrapped      bytea,
  created_at   timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped is null) = (destroyed_at is not null))
);
