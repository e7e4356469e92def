-- What was published of the log: signed heads of its Merkle tree. Nothing here follows from the log alone, so backups hold it;
-- the tree itself is a read model (log_tree).
create schema notary;

-- Which log this is: the origin line of its checkpoints. Chosen once: another origin is another log to whoever keeps heads.
create table notary.identity (
  one    boolean primary key default true check (one),
  origin text not null
);

create table notary.heads (
  -- Leaves. One head of each size, whichever process made it.
  size         bigint primary key check (size > 0),
  root         bytea not null check (length(root) = 32),
  -- The checkpoint as it was published, to the letter.
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
