-- The append function that processes of the previous version call, which may still run during an upgrade. It calls
-- log.append_events, so that there is only one implementation.
create or replace function log.append(
  streams text[], expected integer[],
  stream_of integer[], revisions integer[], ids uuid[], types text[], versions smallint[], data json, metadata_of integer[], metadata json
) returns table (revision integer, first_position bigint, last_position bigint, repeated boolean)
language sql as $$
  select * from log.append_events(
    streams, expected, types, versions, array(select json_array_elements(metadata)),
    stream_of, array(select generate_series(1, cardinality(ids))), metadata_of, revisions, ids, array(select json_array_elements(data)))
$$;
