-- Secrets that begin with whsec_ are signed by what they decode to. Those that were set before go on being signed by their
-- text, until they are changed: their receivers check them so.
alter table access.webhook_secrets add column as_text boolean not null default true;
alter table access.webhook_secrets alter column as_text set default false;
