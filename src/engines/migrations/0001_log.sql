-- The event log. Positions come from a sequence inside the transaction, so commits may become visible out of order.
-- Readers use log.barrier() to make sure that no position is missing.
create schema log;

create table log.events (
  position bigint generated always as identity primary key,
  stream   text collate "C" not null,
  revision integer not null check (revision >= 0),
  id       uuid not null unique,
  type     text collate "C" not null,
  version  smallint not null,
  -- json instead of jsonb: it stores the exact text and is cheaper to insert.
  data     json not null,
  metadata json not null,
  unique (stream, revision)
);

-- Rows average half a kilobyte and are never updated.
alter table log.events set (fillfactor = 100, autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.1);

create function log.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only' using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete or truncate on log.events
  for each statement execute function log.refuse_change();

-- Appends events to several streams in one round trip and one commit. The arguments are parallel arrays:
-- - `streams` and `expected`: each stream with the last revision that its writer expects (-1: none).
-- - `stream_of` to `metadata_of`: the events, each with the ordinals of its stream and its metadata. The events of one command
--   share their metadata.
-- - `data` and `metadata`: JSON arrays, so that each document is stored unchanged.
-- Returns one row per stream, in the same order. If the events were appended, or were already stored with the same ids
-- (`repeated`), the row has the first and the last position. Otherwise the positions are null, and the row has the actual last
-- revision. A writer that loses a race inside the insert gets unique_violation for the whole call.
create function log.append(
  streams text[], expected integer[],
  stream_of integer[], revisions integer[], ids uuid[], types text[], versions smallint[], data json, metadata_of integer[], metadata json
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
  with given as (
    select streams[g.stream] as stream, g.revision, g.id, g.type, g.version, g.data, m.metadata, g.ordinal
      from rows from (unnest(stream_of), unnest(revisions), unnest(ids), unnest(types), unnest(versions), json_array_elements(append.data), unnest(metadata_of))
           with ordinality as g (stream, revision, id, type, version, data, metadata, ordinal)
      join json_array_elements(append.metadata) with ordinality as m (metadata, ordinal) on m.ordinal = g.metadata
  ), inserted as (
    insert into log.events (stream, revision, id, type, version, data, metadata)
    select g.stream, g.revision, g.id, g.type, g.version, g.data, g.metadata
      from given g
     where conflicts is null or g.stream <> all (conflicts)
     order by g.ordinal
    returning stream, revision, position
  ), standing as (
    -- The same ids at the expected place: the acknowledgement was lost, and this is the retry.
    select g.stream, max(e.revision) as revision, min(e.position) as first_position, max(e.position) as last_position, true as repeated
      from given g
      left join log.events e on e.stream = g.stream and e.revision = g.revision and e.id = g.id
     where conflicts is not null and g.stream = any (conflicts)
     group by g.stream
    having count(*) = count(e.id)
    union all
    select i.stream, max(i.revision), min(i.position), max(i.position), false from inserted i group by i.stream
  )
  select coalesce(w.revision, (select e.revision from log.events e where e.stream = s.stream order by e.revision desc limit 1)), w.first_position, w.last_position, coalesce(w.repeated, false)
    from unnest(streams) with ordinality as s (stream, ordinal) left join standing w on w.stream = s.stream
   order by s.ordinal;
end $$;

-- Waits for the appends in progress. Every position up to the result is then visible to the caller's next statement, or never
-- becomes visible.
create function log.barrier() returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305541260174001);
  return coalesce(pg_sequence_last_value('log.events_position_seq'), 0);
end $$;

-- Returns the end of the contiguous positions after `from_position`, and the last position found. Reads at most 10,000 rows.
create function log.run(from_position bigint, out reached bigint, out seen bigint) language sql stable as $$
  select coalesce(max(position) filter (where position = from_position + n), from_position), coalesce(max(position), from_position)
    from (select position, row_number() over (order by position) as n
            from log.events where position > from_position order by position limit 10000) run
$$;
