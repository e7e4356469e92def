-- Does the same as log.append with half of the work in addition to the insert. Each document is an element of a binary array and is
-- parsed once instead of twice, and no row is copied before the insert. log.append stays for processes of the previous version, which
-- may still run during an upgrade.
--
-- Appends events to several streams in one round trip and one commit. The arguments are parallel arrays:
-- - `streams` and `expected`: each stream with the last revision that its writer expects (-1: none).
-- - `types` and `versions`: the kinds of events. `metadata`: the metadata that the events of one command share.
-- - `stream_of` to `data`: the events, stream by stream, with the ordinals of their stream, type and metadata.
-- Returns one row per stream, in the same order. If the events were appended, or were already stored with the same ids (`repeated`),
-- the row has the first and the last position. Otherwise the positions are null, and the row has the actual last revision. A writer
-- that loses a race inside the insert gets unique_violation for the whole call.
create function log.append_events(
  streams text[], expected integer[], types text[], versions smallint[], metadata json[],
  stream_of integer[], type_of integer[], metadata_of integer[], revisions integer[], ids uuid[], data json[]
) returns table (revision integer, first_position bigint, last_position bigint, repeated boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  conflicts text[];
begin
  -- Held until commit: a reader that takes it exclusively knows that every position handed out before is visible or rolled back.
  perform pg_advisory_xact_lock_shared(7305541260174001);

  select array_agg(s.stream) into conflicts
    from unnest(streams, expected) as s (stream, expected)
   where s.expected is distinct from coalesce(
           (select e.revision from log.events e where e.stream = s.stream order by e.revision desc limit 1), -1);

  return query
  with inserted as (
    insert into log.events (stream, revision, id, type, version, data, metadata)
    select streams[g.stream], g.revision, g.id, types[g.type], versions[g.type], g.data, append_events.metadata[g.metadata]
      -- In the list of columns, not behind `from`: there each array would be laid down as a table first.
      from (select unnest(stream_of) as stream, unnest(type_of) as type, unnest(metadata_of) as metadata, unnest(revisions) as revision, unnest(ids) as id, unnest(append_events.data) as data) as g
     where conflicts is null or streams[g.stream] <> all (conflicts)
    returning stream, revision, position
  ), written as (
    select i.stream, max(i.revision) as revision, min(i.position) as first_position, max(i.position) as last_position, false as repeated
      from inserted i group by i.stream
    union all
    -- The same ids at the expected place: the acknowledgement was lost, and this is the retry.
    select streams[g.stream], max(e.revision), min(e.position), max(e.position), true
      from unnest(stream_of, revisions, ids) as g (stream, revision, id)
      left join log.events e on e.stream = streams[g.stream] and e.revision = g.revision and e.id = g.id
     where conflicts is not null and streams[g.stream] = any (conflicts)
     group by g.stream
    having count(*) = count(e.id)
  )
  select coalesce(w.revision, (select e.revision from log.events e where e.stream = s.stream order by e.revision desc limit 1)), w.first_position, w.last_position, coalesce(w.repeated, false)
    from unnest(streams) with ordinality as s (stream, ordinal) left join written w on w.stream = s.stream
   order by s.ordinal;
end $$;
