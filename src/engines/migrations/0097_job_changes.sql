-- Versions of job changes for feeds, regardless of the process that writes the row: each state of the job, and the last change of its
-- progress. A feed can continue after any version, in any process.
alter table access.jobs
  add column version integer not null default 1,
  add column progress_version integer not null default 0,
  add column states jsonb not null default '[{"version": 1, "state": "queued"}]';
-- For existing jobs, only the current state is known.
update access.jobs set version = 2, progress_version = 1,
       states = jsonb_build_array(jsonb_build_object('version', 2, 'state', state));

-- If a write changes both, the progress gets the lower version. A follower that has received the last state has received all changes.
create function access.count_job_change() returns trigger language plpgsql as $$
begin
  if (new.progress, new.step) is distinct from (old.progress, old.step) then
    new.version := new.version + 1;
    new.progress_version := new.version;
  end if;
  if new.state is distinct from old.state then
    new.version := new.version + 1;
    new.states := new.states || jsonb_build_object('version', new.version, 'state', new.state);
  end if;
  return new;
end $$;
create trigger count_change before update on access.jobs for each row
  when ((new.state, new.progress, new.step) is distinct from (old.state, old.progress, old.step))
  execute function access.count_job_change();
