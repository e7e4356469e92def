-- Jobs that may run for minutes, because of their kind or the size of their work.
alter table access.jobs add column long boolean not null default false;
update access.jobs set long = true where kind in ('route_plan', 'route_replay') and state in ('queued', 'running');
