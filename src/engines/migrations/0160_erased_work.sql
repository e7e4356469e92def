-- Jobs with data of a person are erased in the same transaction that destroys the keys of the person, regardless of the process that
-- destroys the keys, and of whether a worker is running the job.
alter table access.jobs
  -- Subjects whose data the work contains.
  add column subjects text[] not null default '{}',
  -- Whether one of its subjects was erased while the job was queued or running. The job must end.
  add column erased boolean not null default false,
  -- Completed work so far, as reported by the kind of the job.
  add column done jsonb,
  -- Decided end of the job. The worker writes it before the end is recorded in the log and in the row.
  add column ending jsonb;
create index jobs_subjects on access.jobs using gin (subjects) where state in ('queued', 'running');

alter table access.order_batches
  add column subjects text[] not null default '{}',
  add column erased boolean not null default false;
create index order_batches_subjects on access.order_batches using gin (subjects) where finished_at is null;

-- Artifacts are written under the same lock, in shared mode. Artifacts that were written before are deleted here. Later writers find
-- that the keys were destroyed.
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
