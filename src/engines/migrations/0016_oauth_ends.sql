-- Whose a grant, a code, a token or a browser's session is, so that all of them end with what ends the account's access;
-- and which client's, so that one that is used is not forgotten. Contents are sealed: rows of before cannot say it, so
-- agents connect once more.
delete from access.oauth where model <> 'Client';
alter table access.oauth add column account integer, add column client bytea;
create index on access.oauth (account) where account is not null;
update access.oauth set expires_at = created_at + interval '90 days' where model = 'Client';

-- When all of an account ended last: a request under way then brings no session back.
create table access.oauth_ended (
  account  integer primary key,
  ended_at timestamptz not null default now()
);
