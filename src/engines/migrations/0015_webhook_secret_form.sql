-- For secrets that begin with whsec_, the signing key is the decoded value. For secrets that were set before this migration, the key
-- stays the text until they are changed, because their receivers verify signatures with the text.
alter table access.webhook_secrets add column as_text boolean not null default true;
alter table access.webhook_secrets alter column as_text set default false;
