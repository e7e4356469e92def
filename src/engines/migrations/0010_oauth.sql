-- Data of the authorization server: grants, codes, tokens, clients and sessions. Ids are hashes, and contents are encrypted with
-- MASTER_KEY.
create table access.oauth (
  model      text not null,
  -- SHA-256 of the id. For codes and tokens, the id is the secret itself.
  id         bytea not null,
  payload    bytea not null,
  -- SHA-256 of the grant id, so that the codes and tokens of a grant can be revoked with it.
  grant_id   bytea,
  uid        bytea,
  consumed   boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (model, id)
);
create index on access.oauth (grant_id) where grant_id is not null;
create index on access.oauth (uid) where uid is not null;
create index on access.oauth (expires_at);
