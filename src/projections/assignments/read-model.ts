/**
 * The read model of contractor assignments: one row per assignment, and counters per block ("pile") of rows. With the
 * counters, a late page is found without counting all rows before it. Order data (reference, status, date, route) is
 * read from the orders.
 */
import { sequence } from '../core/sequence.js';
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';
import {
  AssignmentReleased,
  AssignmentRevoked,
  OrderAssigned,
  orderIdOf,
  ORDER_PREFIX,
} from '../../events/orders/events.js';
import { insertRows, updateRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';

/** Ids of assignments. */
export const ASSIGNMENT_IDS = sequence('assignments', { readModel: 'assignments', table: 'assignments.assignments' });

export const ASSIGNMENT_STATUSES = ['active', 'revoked', 'released'] as const;
export type AssignmentStatus = (typeof ASSIGNMENT_STATUSES)[number];

export interface AssignmentRow {
  readonly id: number;
  readonly business: number;
  /**
   * Number of the assignment within its business, in the order of the log, from 1. Lists are sorted by it, newest
   * first. 0 until the row is saved.
   */
  number: number;
  readonly order_id: number;
  readonly broker_id: number;
  status: AssignmentStatus;
  /** The note of the assignment, and the reason of its end. Both are encrypted. */
  readonly note: SealedMembers;
  readonly assigned_by: number | null;
  /** RFC 3339, UTC. */
  readonly assigned_at: string;
  ended_by: number | null;
  ended_at: string | null;
  reason: SealedMembers | null;
}

/** A row with its status in the tables before the batch; null: the event belongs to no assignment. */
type Folded = (AssignmentRow & { readonly was?: AssignmentStatus | undefined; readonly position?: string }) | null;

/** Key of events that belong to no assignment. */
const NO_ASSIGNMENT = '';

/** Number of consecutive assignment numbers in a block. */
export const PILE = 500;
/** The counters of a whole business are stored under this contractor id. */
export const ANY_BROKER = 0;
export const pileOf = (number: number): number => Math.floor(number / PILE);

export const assignments: Projection<Folded> = {
  name: 'assignments',
  version: 2,
  prefixes: [ORDER_PREFIX],
  tables: `
    create table :schema.assignments (
      id          integer primary key,
      business    integer not null,
      number      integer not null,
      order_id    integer not null,
      broker_id   integer not null,
      status      text not null,
      note        json not null,
      assigned_by integer,
      assigned_at text not null,
      ended_by    integer,
      ended_at    text,
      reason      json,
      unique (business, number)
    );
    create index on :schema.assignments (business, broker_id, number);
    create index on :schema.assignments (order_id, number);
    create table :schema.piles (
      business  integer,
      broker_id integer,
      pile      integer,
      active    integer not null,
      revoked   integer not null,
      released  integer not null,
      primary key (business, broker_id, pile)
    );
    create table :schema.counters (
      business integer primary key,
      last     integer not null
    );`,
  keyOf: (event) => String(event.data['assignment_id'] ?? NO_ASSIGNMENT),
  rowPerStream: false,
  makesRow: ({ type }) => type === OrderAssigned.type,
  fold: foldAssignment,

  async load(db, schema, keys) {
    const ids = keys.filter((key) => key !== NO_ASSIGNMENT);
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<AssignmentRow>(`select * from ${schema}.assignments where id = any ($1)`, [ids]);
    return new Map(rows.map((row) => [String(row.id), { ...row, was: row.status }]));
  },

  async save(db, schema, changed) {
    const rows = [...changed.values()].filter((row) => row !== null);
    if (rows.length === 0) return;
    const [fresh, known] = [rows.filter(({ was }) => was === undefined), rows.filter(({ was }) => was !== undefined)];
    await number(db, schema, fresh);
    await Promise.all([
      insertRows(db, `${schema}.assignments`, COLUMNS, fresh),
      updateRows(db, `${schema}.assignments`, 'id', ENDING, known),
      insertRows(
        db,
        `${schema}.piles`,
        PILES,
        changesOfPiles(rows),
        'on conflict (business, broker_id, pile) do update set active = piles.active + excluded.active, revoked = piles.revoked + excluded.revoked, released = piles.released + excluded.released',
      ),
    ]);
  },
};

const ENDING = { status: 'text', ended_by: 'integer', ended_at: 'text', reason: 'json' } as const satisfies Types;
const COLUMNS = {
  id: 'integer',
  business: 'integer',
  number: 'integer',
  order_id: 'integer',
  broker_id: 'integer',
  note: 'json',
  assigned_by: 'integer',
  assigned_at: 'text',
  ...ENDING,
} as const satisfies Types;
const PILES = {
  business: 'integer',
  broker_id: 'integer',
  pile: 'integer',
  active: 'integer',
  revoked: 'integer',
  released: 'integer',
} as const satisfies Types;

/** Pure, and never throws. The end of an unknown assignment is ignored. */
function foldAssignment(row: Folded | undefined, event: StoredEvent): Folded {
  const data = event.data as Readonly<Record<string, never>>;
  const recordedAt = event.metadata['recorded_at'] as string;
  if (event.type === OrderAssigned.type) {
    const {
      assignment_id: id,
      business,
      broker_id,
      assigned_by = null,
    } = event.data as unknown as { assignment_id: number; business: number; broker_id: number; assigned_by?: number };
    return {
      id,
      business,
      number: 0,
      order_id: orderIdOf(event.stream),
      broker_id,
      status: 'active',
      note: sealedMembersOf(event),
      assigned_by,
      assigned_at: recordedAt,
      ended_by: null,
      ended_at: null,
      reason: null,
      position: event.position,
    };
  }
  if (!row || (event.type !== AssignmentRevoked.type && event.type !== AssignmentReleased.type)) return row ?? null;
  return Object.assign(row, {
    status: event.type === AssignmentRevoked.type ? 'revoked' : 'released',
    ended_by: data['ended_by'] ?? null,
    ended_at: recordedAt,
    reason: sealedMembersOf(event),
  });
}

/** Assigns numbers in the order of the log, so that the batch size does not affect them. */
async function number(db: ClientBase, schema: string, fresh: readonly NonNullable<Folded>[]): Promise<void> {
  if (fresh.length === 0) return;
  const added = new Map<number, number>();
  for (const { business } of fresh) added.set(business, (added.get(business) ?? 0) + 1);
  const { rows } = await db.query<{ business: number; last: number }>(
    `insert into ${schema}.counters as c select * from unnest($1::integer[], $2::integer[]) on conflict (business) do update set last = c.last + excluded.last returning business, last`,
    [[...added.keys()], [...added.values()]],
  );
  const next = new Map(rows.map(({ business, last }) => [business, last - added.get(business)! + 1]));
  for (const row of [...fresh].sort((a, b) => (a.position! < b.position! ? -1 : 1))) {
    row.number = next.get(row.business)!;
    next.set(row.business, row.number + 1);
  }
}

interface Pile extends Record<AssignmentStatus, number> {
  readonly business: number;
  readonly broker_id: number;
  readonly pile: number;
}

/** The changes of the block counters: of the contractor, and of the whole business. */
function changesOfPiles(rows: readonly NonNullable<Folded>[]): Pile[] {
  const piles = new Map<string, Pile>();
  for (const { business, broker_id, number, status, was } of rows) {
    for (const broker of [broker_id, ANY_BROKER]) {
      const key = `${business} ${broker} ${pileOf(number)}`;
      const pile = piles.get(key) ?? {
        business,
        broker_id: broker,
        pile: pileOf(number),
        active: 0,
        revoked: 0,
        released: 0,
      };
      if (was) pile[was]--;
      pile[status]++;
      piles.set(key, pile);
    }
  }
  return [...piles.values()];
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'assignments', true> {}
}
