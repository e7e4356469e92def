-- Published data about the log: signed heads of its Merkle tree. It cannot be computed from the log alone, so backups include
-- it. The tree itself is a read model (log_tree).
create schema notary;

-- Identity of the log: the origin line of its checkpoints. It never changes, because readers who store heads treat another
-- origin as another log.
create table notary.identity (
  one    boolean primary key default true check (one),
  origin text not null
);

create table notary.heads (
  -- Number of leaves. There is one head per size, regardless of the process that created it.
  size         bigint primary key check (size > 0),
  root         bytea not null check (length(root) = 32),
  -- The exact text of the published checkpoint.
  note         text not null,
  -- Verifier key of its signature.
  key          text not null,
  published_at timestamptz not null default now()
);

create function notary.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'published heads never change' using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete or truncate on notary.heads
  for each statement execute function notary.refuse_change();
