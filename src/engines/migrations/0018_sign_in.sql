-- Failed sign-ins are counted per account and network. The key is a keyed hash of both.
truncate access.attempts;
alter table access.attempts rename column email to subject;

-- Self-registered users have not proved that they own the address. The address is not taken until staff enable the account.
alter table access.logins drop constraint logins_email_key;
alter table access.logins add column proved boolean not null default true;
create unique index logins_proved on access.logins (email) where proved;
create index logins_email on access.logins (email);
