/** Queries on the read model of transfers, and on their streams. */
import { sql } from 'kysely';
import { decode, unseal } from '../../events/core/codec.js';
import type { EventLog, JsonObject } from '../../events/core/log.js';
import { transferStream } from '../../events/transfers/events.js';
import type { TransferStatus } from '../../events/transfers/state.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { openRows } from '../core/sealed-members.js';
import type { TransferRow } from './read-model.js';

/** A transfer with decrypted texts. Erased texts are absent. */
export type Transfer = Omit<TransferRow, 'sealed'> & {
  readonly note?: string;
  readonly vehicle?: string;
  readonly reason?: string;
};

export interface TransferHistoryEntry {
  readonly event_id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly role?: string; readonly channel: string };
  readonly data: JsonObject;
}

export interface TransferFilter extends Range {
  readonly status?: TransferStatus | undefined;
  /** The source or the destination. */
  readonly warehouseId?: number | undefined;
}

export type TransferQueries = ReturnType<typeof createTransferQueries>;

export interface TransferQueriesOptions extends Parts<'database' | 'keyRing' | 'types'> {
  readonly log: Pick<EventLog, 'read'>;
}

type Opened = Pick<Transfer, 'note' | 'vehicle' | 'reason'>;

export function createTransferQueries({ database, keyRing, log, types }: TransferQueriesOptions) {
  const of = (business: number) => database.selectFrom('transfers.transfers').where('business', '=', business);
  const open = (rows: readonly TransferRow[]) => openRows<Opened, TransferRow>(rows, keyRing);
  return {
    byId: async (id: number, business: number): Promise<Transfer | undefined> =>
      (await open(await of(business).where('id', '=', id).selectAll().execute()))[0],
    /** Newest first. */
    async list({ status, warehouseId, ...range }: TransferFilter, business: number): Promise<Page<Transfer>> {
      const found = of(business)
        .selectAll()
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .$if(warehouseId !== undefined, (query) =>
          query.where((or) => or.or([or('from_id', '=', warehouseId!), or('to_id', '=', warehouseId!)])),
        );
      const page = await pageOf(found, range, NEWEST_FIRST);
      return { ...page, rows: await open(page.rows) };
    },
    /** Whether a transfer from or to the warehouse has parcels that are waiting for transport or in transit. */
    async isUnderWayAt(warehouseId: number, business: number): Promise<boolean> {
      const found = await of(business)
        .where('status', 'in', ['open', 'shipped', 'arriving'])
        .where((or) => or.or([or('from_id', '=', warehouseId), or('to_id', '=', warehouseId)]))
        .where(
          sql<boolean>`exists (select 1 from json_each(packages) p where p.value ->> 'at' in ('pending', 'marked', 'shipped'))`,
        )
        .select('id')
        .limit(1)
        .execute();
      return found.length > 0;
    },
    /** Source and destination of transfers of all businesses; for readers that follow transfer events. */
    sidesOf: async (ids: readonly number[]): Promise<readonly Pick<TransferRow, 'id' | 'from_id' | 'to_id'>[]> =>
      ids.length === 0
        ? []
        : database
            .selectFrom('transfers.transfers')
            .where('id', 'in', ids)
            .select(['id', 'from_id', 'to_id'])
            .execute(),
    /** Transfers with steps that were started before that time (RFC 3339, UTC) and are not complete. */
    unfinished: (before: string, limit: number): Promise<readonly Pick<TransferRow, 'id' | 'business'>[]> =>
      database
        .selectFrom('transfers.transfers')
        .where('due', '>', 0)
        .where('updated_at', '<', before)
        .select(['id', 'business'])
        .orderBy('updated_at')
        .limit(limit)
        .execute(),
    /** All events of the transfer, oldest first. */
    async history(id: number): Promise<readonly TransferHistoryEntry[]> {
      const stream = transferStream(id);
      const keys = await keyRing.existing([stream]);
      const entries: TransferHistoryEntry[] = [];
      for await (const event of log.read(stream)) {
        const { token: _token, ...actor } = event.metadata['actor'] as unknown as TransferHistoryEntry['actor'] & {
          token?: string;
        };
        const recorded_at = event.metadata['recorded_at'] as string;
        const data = unseal(decode(event, types), event.id, keys);
        entries.push({ event_id: event.id, type: event.type, recorded_at, actor, data });
      }
      return entries;
    },
  };
}
