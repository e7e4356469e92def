-- Begins a batch in its own transaction: moves the checkpoint by compare-and-set, and says which streams the projection leaves out. They are
-- asked behind the checkpoint's lock, in a statement of its own that sees what was committed while it was waited for: a rebuild may just have
-- let a stream in again. Null: the caller has the projection no more.
create function projections.advance(name text, owner uuid, from_position text, to_position text, version integer, lease_seconds double precision) returns text[]
language plpgsql as $$
#variable_conflict use_variable
begin
  update projections.checkpoints c
     set position = to_position, updated_at = now(), lease_until = now() + make_interval(secs => lease_seconds)
   where c.name = name and c.owner = owner and c.position = from_position and c.version = version;
  if not found then
    return null;
  end if;
  return array(select q.stream from projections.quarantine q where q.name = name);
end $$;
