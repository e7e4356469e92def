/**
 * The read model of dispatch: the events of each day's boards, one row per event. The state of an item is calculated
 * from the rows of its day.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { DISPATCH_PREFIX } from '../../events/dispatch/events.js';
import { ORDER_PREFIX } from '../../events/orders/events.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';

export interface DispatchEventRow {
  /** Id of the event. */
  readonly id: string;
  readonly business: number;
  readonly date: string;
  /** Revision in the stream of the day, which orders the events. */
  readonly revision: number;
  /** Id of the contractor whose desk it is; 0: the desk of the business. */
  readonly desk: number;
  readonly item: string;
  readonly type: string;
  readonly by: number;
  /** The order that a decision is about, if any. */
  readonly order_id: number | null;
  /** Plaintext members of the event, without its facts. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly sealed: SealedMembers;
}

const DAY = new RegExp(`^${DISPATCH_PREFIX}(\\d+)-(\\d{4}-\\d\\d-\\d\\d)$`);

function toRow(event: StoredEvent): DispatchEventRow {
  const [, business, date] = DAY.exec(event.stream)!;
  const {
    $sealed: _sealed,
    facts = null,
    ...data
  } = event.data as unknown as {
    readonly $sealed?: unknown;
    readonly facts?: DispatchEventRow['facts'];
    readonly item: string;
    readonly by: number;
    readonly desk?: number;
    readonly subject?: string;
  };
  return {
    id: event.id,
    business: Number(business),
    date: date!,
    revision: event.revision,
    desk: data.desk ?? 0,
    item: data.item,
    type: event.type,
    by: data.by,
    order_id: data.subject?.startsWith(ORDER_PREFIX) ? Number(data.subject.slice(ORDER_PREFIX.length)) : null,
    data,
    facts,
    sealed: sealedMembersOf(event),
  };
}

const COLUMNS = 'id, business, date, revision, desk, item, type, by, order_id, data, facts, sealed' satisfies string;

export const dispatchDecisions: Projection<DispatchEventRow> = {
  name: 'dispatch_decisions',
  version: 1,
  prefixes: [DISPATCH_PREFIX],
  tables: `
    create table :schema.happenings (
      id       uuid primary key,
      business integer not null,
      date     text collate "C" not null,
      revision integer not null,
      desk     integer not null,
      item     text collate "C" not null,
      type     text not null,
      by       integer not null,
      order_id integer,
      data     json not null,
      facts    json,
      sealed   json not null
    );
    create index on :schema.happenings (business, date, revision);
    create index on :schema.happenings (business, order_id) where order_id is not null;`,
  keyOf: ({ id }) => id,
  rowPerStream: false,
  makesRow: () => true,
  fold: (row, event) => row ?? toRow(event),
  // Each event has its own row, which no other event changes.
  load: () => Promise.resolve(new Map()),
  async save(db, schema, rows) {
    await db.query(
      `insert into ${schema}.happenings (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::${schema}.happenings, $1)
       on conflict (id) do nothing`,
      [JSON.stringify([...rows.values()])],
    );
  },
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<'dispatch_decisions', { 'dispatch_decisions.happenings': DispatchEventRow }> {}
}
