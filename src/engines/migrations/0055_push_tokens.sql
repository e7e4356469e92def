-- Push tokens of the users' apps. They are encrypted, and are deleted together with the account.
create table access.push_tokens (
  user_id   integer not null,
  device_id text collate "C" not null,
  platform  text not null,
  token     bytea not null,
  set_at    timestamptz not null default now(),
  primary key (user_id, device_id)
);
