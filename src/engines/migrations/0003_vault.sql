-- Keys that encrypt personal data: one per subject (a tracking or a person), each wrapped by the master key. They are stored
-- separately from the log, so destroying a key erases its subject from the log, the read models and the backups at once.
create schema vault;

create table vault.subject_keys (
  subject      text collate "C" primary key,
  -- nonce (12), tag (16), wrapped key (32); null once destroyed.
  wrapped      bytea,
  created_at   timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped is null) = (destroyed_at is not null))
);
