-- The account of a grant, code, token or browser session, so that all of them end when the access of the account ends. The client,
-- so that a client in use is not deleted. Contents are encrypted, so these values are unknown for existing rows. The rows are deleted,
-- and agents must connect again.
delete from access.oauth where model <> 'Client';
alter table access.oauth add column account integer, add column client bytea;
create index on access.oauth (account) where account is not null;
update access.oauth set expires_at = created_at + interval '90 days' where model = 'Client';

-- Time at which all access of an account last ended. A request that was in progress at that time cannot restore a session.
create table access.oauth_ended (
  account  integer primary key,
  ended_at timestamptz not null default now()
);
