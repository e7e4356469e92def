/** Loads and saves rows of trackings. */
import type { ClientBase } from 'pg';
import type { Owner } from '../../events/trackings/events.js';
import { arrayOf, binaryArrayOf, elementsOf, insertRows } from '../../sql/rows.js';
import { toRow } from './fold.js';
import type { FoldedTracking, Tracking, TrackingRow } from './row.js';

const HEAD =
  'id, owner_kind, owner_id, number, generation, subject, subjects, writers, former_writers, planned, revision, last_active, recorded_at, opened, opened_at';

interface StoredHead extends Omit<Tracking, 'owner'> {
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
}

const trackingFrom = <T extends StoredHead>({ owner_kind, owner_id, ...row }: T) => ({
  ...row,
  owner: { kind: owner_kind, id: owner_id },
});

/** Converts a whole row of :schema.trackings. */
export const rowFrom = (stored: StoredHead & Pick<FoldedTracking, 'scans' | 'retractions'>): TrackingRow =>
  toRow({ ...trackingFrom(stored), named: [] });

export async function load(
  db: ClientBase,
  schema: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FoldedTracking>> {
  const { rows } = await db.query<StoredHead>(`select ${HEAD} from ${schema}.trackings where id = any ($1)`, [keys]);
  return new Map(rows.map((row) => [row.id, { ...trackingFrom(row), scans: '', retractions: '', named: [] }]));
}

/** Rows per statement. While the database executes a statement, the next rows are serialized here. */
const AT_ONCE = 50;

export async function save(
  db: ClientBase,
  schema: string,
  changed: ReadonlyMap<string, FoldedTracking>,
): Promise<void> {
  const rows = [...changed.values()];
  const saving: Promise<unknown>[] = [];
  for (let from = 0; from < rows.length; from += AT_ONCE)
    saving.push(saveTrackings(db, schema, rows.slice(from, from + AT_ONCE)));
  const others = rows.flatMap(({ id, number, named }) =>
    named.filter(({ identifier }) => identifier !== number).map((one) => ({ ...one, tracking: id })),
  );
  await Promise.all([
    ...saving,
    insertRows(
      db,
      `${schema}.identifiers`,
      { identifier: 'text', tracking: 'uuid', since: 'text', since_at: 'text' },
      others,
      'on conflict do nothing',
    ),
  ]);
}

async function saveTrackings(db: ClientBase, schema: string, rows: readonly FoldedTracking[]): Promise<void> {
  await db.query({
    // A named statement is planned only once, because planning would scan all values in it.
    name: `save-${schema}`,
    text: `insert into ${schema}.trackings as t (${HEAD}, scans, retractions)
     select id, owner_kind, owner_id, number, generation, subject, subjects, coalesce(string_to_array(nullif(writers, ''), ' '), '{}'), coalesce(string_to_array(nullif(former_writers, ''), ' '), '{}'), planned, revision, last_active, recorded_at, opened, opened_at, scans, retractions
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::json[], $7::json[], $8::text[], $9::text[], $10::json[], $11::int[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[])
            as n (${HEAD}, scans, retractions)
     on conflict (id) do update set subject = excluded.subject, subjects = excluded.subjects, writers = excluded.writers, former_writers = excluded.former_writers, planned = excluded.planned, revision = excluded.revision, last_active = excluded.last_active, recorded_at = excluded.recorded_at,
       scans = case excluded.scans when '' then t.scans else t.scans || excluded.scans end, retractions = t.retractions || excluded.retractions`,
    values: [
      arrayOf(
        'uuid',
        rows.map((row) => row.id),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.owner.kind),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.owner.id),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.number),
      ),
      arrayOf(
        'integer',
        rows.map((row) => row.generation),
      ),
      arrayOf(
        'json',
        rows.map((row) => row.subject),
      ),
      arrayOf(
        'json',
        rows.map((row) => row.subjects),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.writers.join(' ')),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.former_writers.join(' ')),
      ),
      arrayOf(
        'json',
        rows.map((row) => row.planned),
      ),
      arrayOf(
        'integer',
        rows.map((row) => row.revision),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.last_active),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.recorded_at),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.opened),
      ),
      arrayOf(
        'text',
        rows.map((row) => row.opened_at),
      ),
      binaryArrayOf('text', rows.length, [elementsOf(rows.map(({ scans }) => scans))]),
      binaryArrayOf('text', rows.length, [elementsOf(rows.map(({ retractions }) => retractions))]),
    ],
  });
}
