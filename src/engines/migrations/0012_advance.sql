-- Begins a batch in a separate transaction: moves the checkpoint by compare-and-set, and returns the streams that the projection
-- excludes. It reads these streams after it holds the lock of the checkpoint. The separate statement sees rows that were committed
-- during the wait, because a rebuild may have just included a stream again. Null: the caller no longer holds the projection.
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
