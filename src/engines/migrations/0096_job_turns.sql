-- Order of businesses with the same number of running jobs: the business whose last job started earliest is next.
create index jobs_turns on access.jobs (business, started_at);
