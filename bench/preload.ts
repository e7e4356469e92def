/** A log with a million existing events, inserted in bulk in the form that ingest writes. */
import pg from 'pg';
import type { RawRow } from './ingest.js';

const PER_TRACKING = 11;

/** Appends at least `events` events of invented trackings. Each tracking has one opening event and ten scans. */
export async function preload(databaseUrl: string, events: number, sample: readonly RawRow[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const scans = JSON.stringify(sample.slice(0, PER_TRACKING - 1).map(({ data }) => data));
  for (let from = 0, chunk = 10_000; from * PER_TRACKING < events; from += chunk) {
    await client.query(
      `insert into log.events (stream, revision, id, type, version, data, metadata)
       select 'tracking-' || t.id, s.revision, gen_random_uuid(), case s.revision when 0 then 'TrackingOpened' else 'TrackingEventRecorded' end, 1,
              case s.revision
                when 0 then json_build_object('owner', json_build_object('kind', 'provider', 'id', 'demo-carrier'), 'number', t.number, 'generation', 0, 'profile', 'parcel', 'subject', json_build_object('tracking_number', t.number))
                else s.data end,
              $3::json
         from (select gen_random_uuid() as id, 'PRELOADED' || n as number from generate_series($1::int, $1::int + $4::int - 1) n) t
        cross join (select 0 as revision, null::json as data union all
                    select ordinal::int, data from json_array_elements($2::json) with ordinality as e (data, ordinal)) s
        order by t.number, s.revision`,
      [from, scans, JSON.stringify(sample[0]!.metadata), chunk],
    );
  }
  await client.query('vacuum analyze log.events');
  await client.end();
}
