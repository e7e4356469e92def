-- Whose turn it is among businesses with as many running: the one whose last job began longest ago.
create index jobs_turns on access.jobs (business, started_at);
