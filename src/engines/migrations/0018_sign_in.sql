-- Failed sign-ins count for an account and a network together, as a keyed hash of both.
truncate access.attempts;
alter table access.attempts rename column email to subject;

-- Who registers without anybody's leave has proved nothing: until somebody lets that account in, the address is not taken.
alter table access.logins drop constraint logins_email_key;
alter table access.logins add column proved boolean not null default true;
create unique index logins_proved on access.logins (email) where proved;
create index logins_email on access.logins (email);
