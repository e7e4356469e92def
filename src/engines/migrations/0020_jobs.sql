-- Long-running jobs. They are queued durably, and any process can run them, but only one at a time. The events of a job belong to its
-- area.
create table access.jobs (
  id uuid primary key,
  kind text not null,
  business integer not null,
  owner integer not null,
  subject text,
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  progress real not null default 0,
  step text,
  -- Encrypted. Null after the job has ended.
  work bytea,
  result jsonb,
  error jsonb,
  worker uuid,
  lease_until timestamptz,
  attempt integer not null default 0,
  wish text check (wish in ('cancel', 'stop')),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index jobs_waiting on access.jobs (created_at) where state in ('queued', 'running');
create index jobs_of_business on access.jobs (business, created_at desc);
create index jobs_ended on access.jobs (finished_at) where finished_at is not null;

-- Output of jobs that is too large for a result. It is encrypted. Artifacts with data of erased subjects are deleted.
create table access.job_artifacts (
  job uuid not null,
  name text not null,
  media_type text not null,
  size integer not null,
  sha256 bytea not null,
  subjects text[] not null,
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (job, name)
);
create index job_artifacts_subjects on access.job_artifacts using gin (subjects);
create index job_artifacts_created on access.job_artifacts (created_at);
