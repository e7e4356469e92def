/** Queries on dispatch decisions and settings. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { DispatchDecisionRecorded, DispatchItemReopened } from '../../events/dispatch/events.js';
import { historyAfter, type ItemHistory } from '../../events/dispatch/item-state.js';
import { DISPATCH_DEFAULTS, type DispatchSettings } from '../../events/planning/events.js';
import type { Database } from '../core/database.js';
import { openRows } from '../core/sealed-members.js';
import type { DispatchEventRow } from './read-model.js';

/** The viewing business. With `desk`: only decisions of this desk. */
export interface DecisionViewer {
  readonly business: number;
  readonly desk?: number | undefined;
}

export interface DecisionFilter {
  readonly from: string;
  readonly to: string;
  readonly item?: string | undefined;
  readonly by?: number | undefined;
  readonly orderId?: number | undefined;
  /** Only decisions before this one; newest first. */
  readonly after?: { readonly date: string; readonly revision: number } | undefined;
  readonly limit: number;
}

/** A decision or its withdrawal, with its note if the note can be decrypted. */
export type RecordedDecision = Omit<DispatchEventRow, 'sealed'> & { readonly note?: string };

export interface DispatchQueries {
  /** `version`: revision of their stream; -1: no settings were set. */
  settings(business: number): Promise<Required<DispatchSettings> & { readonly version: number }>;
  /** The state of a day's items at a desk, by item. Items without events are absent. */
  itemHistories(business: number, date: string, desk: number, item?: string): Promise<ReadonlyMap<string, ItemHistory>>;
  /** Newest first. */
  decisions(viewer: DecisionViewer, filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}

export function createDispatchQueries(database: Kysely<Database>, keyRing: KeyRing): DispatchQueries {
  return {
    async settings(business) {
      const row = await database
        .selectFrom('planning.planning')
        .select(['dispatch', 'revision'])
        .where('id', '=', business)
        .executeTakeFirst();
      return { ...DISPATCH_DEFAULTS, ...row?.dispatch, version: row?.revision ?? -1 };
    },

    async itemHistories(business, date, desk, item) {
      const rows = await database
        .selectFrom('dispatch_decisions.happenings')
        .select(['item', 'type', 'data'])
        .where('business', '=', business)
        .where('date', '=', date)
        .where('desk', '=', desk)
        .$if(item !== undefined, (query) => query.where('item', '=', item!))
        .orderBy('revision')
        .execute();
      const itemHistories = new Map<string, ItemHistory>();
      for (const row of rows) itemHistories.set(row.item, historyAfter(itemHistories.get(row.item), row));
      return itemHistories;
    },

    async decisions({ business, desk }, { from, to, item, by, orderId, after, limit }) {
      const rows = await database
        .selectFrom('dispatch_decisions.happenings')
        .selectAll()
        .where('business', '=', business)
        .where('date', '>=', from)
        .where('date', '<=', to)
        .where('type', 'in', [DispatchDecisionRecorded.type, DispatchItemReopened.type])
        .$if(desk !== undefined, (query) => query.where('desk', '=', desk!))
        .$if(item !== undefined, (query) => query.where('item', '=', item!))
        .$if(by !== undefined, (query) => query.where('by', '=', by!))
        .$if(orderId !== undefined, (query) => query.where('order_id', '=', orderId!))
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(date, revision) < (${after!.date}, ${after!.revision})`),
        )
        .orderBy('date', 'desc')
        .orderBy('revision', 'desc')
        .limit(limit)
        .execute();
      return openRows<{ note?: string }, DispatchEventRow & { sealed: never }>(
        rows.map(({ sealed, ...row }) => ({ ...row, sealed: [sealed] })) as never,
        keyRing,
      ) as unknown as Promise<readonly RecordedDecision[]>;
    },
  };
}
