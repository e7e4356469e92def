-- Long work is forgotten with the people that it speaks of, in the very transaction that destroys their keys: whoever
-- destroys them, and whether a worker is on it or not.
alter table access.jobs
  -- Whom its work names.
  add column subjects text[] not null default '{}',
  -- Somebody whom it speaks of was erased while it waited or ran: it is to end.
  add column erased boolean not null default false,
  -- What it has done so far, as its kind tells it.
  add column done jsonb,
  -- How it is to end: decided by who held it, before the log and the row say so.
  add column ending jsonb;
create index jobs_subjects on access.jobs using gin (subjects) where state in ('queued', 'running');

alter table access.order_batches
  add column subjects text[] not null default '{}',
  add column erased boolean not null default false;
create index order_batches_subjects on access.order_batches using gin (subjects) where finished_at is null;

-- Artifacts are put under the same lock, shared: what was put before is deleted here, who puts later sees the keys gone.
create function access.forget_work() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305541260174160);
  update access.jobs set erased = true, wish = 'cancel', work = case when subjects @> array[new.subject] then null else work end
   where state in ('queued', 'running') and ending is null
     and (subjects @> array[new.subject] or id in (select a.job from access.job_artifacts a where a.subjects @> array[new.subject]));
  delete from access.job_artifacts where subjects @> array[new.subject];
  update access.order_batches set erased = true, work = null
   where finished_at is null and subjects @> array[new.subject];
  return null;
end $$;
create trigger forget_work after insert or update on vault.subject_keys
  for each row when (new.destroyed_at is not null) execute function access.forget_work();
