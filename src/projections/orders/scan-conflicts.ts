/** The read model of scan conflicts: scans that contradicted their order. Personal data is encrypted. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import {
  ORDER_PREFIX,
  PackageScanKept,
  PackageScanSettled,
  type ConflictCode,
  type ScanDecision,
} from '../../events/orders/events.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import { code, integer, json, optional, text, type RowOf } from '../core/columns.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows, sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  id: code(),
  business: integer(),
  order_id: integer(),
  code: text<ConflictCode>(),
  tracking_number: code(),
  status_code: code(),
  occurred_at: text(),
  driver_id: optional(integer()),
  scanned_by: optional(integer()),
  provider: optional(text()),
  reason_code: optional(text()),
  recorded_at: code(),
  /** Distinguishes the conflicts of an order: the revision of the event. */
  n: integer(),
  decision: optional(text<ScanDecision>()),
  settled_by: optional(integer()),
  settled_at: optional(text()),
  sealed: json<SealedMembers[]>(),
};
export type ScanConflictRow = RowOf<typeof columns>;

export const scanConflicts = table({
  name: 'scan_conflicts',
  version: 1,
  prefixes: [ORDER_PREFIX],
  columns,
  rows: { member: 'conflict_id', made: PackageScanKept },
  indexes: ['(business, recorded_at, id)', '(business, order_id) where decision is null'],
  fold: startsWith(PackageScanKept, (scan, event): ScanConflictRow => ({
    id: scan.conflict_id,
    business: scan.business,
    order_id: scan.order_id,
    code: scan.code,
    tracking_number: scan.tracking_number,
    status_code: scan.status_code,
    occurred_at: scan.occurred_at,
    driver_id: scan.driver_id ?? null,
    scanned_by: scan.scanned_by ?? null,
    provider: scan.provider ?? null,
    reason_code: scan.reason_code ?? null,
    recorded_at: recordedAt(event),
    n: event.revision,
    decision: null,
    settled_by: null,
    settled_at: null,
    sealed: [sealedMembersOf(event)],
  })).on(PackageScanSettled, ({ decision, settled_by = null }, { sealed }, event) => ({
    decision,
    settled_by,
    settled_at: recordedAt(event),
    sealed: [...sealed, sealedMembersOf(event)],
  })),
});

/** A conflict with its personal members, as far as their keys exist. `reason`: of the decision. */
export type OpenedConflict = Omit<ScanConflictRow, 'sealed'> & {
  readonly gps?: { readonly latitude: number; readonly longitude: number };
  readonly photos?: readonly string[];
  readonly note?: string;
  readonly return_note?: string;
  readonly reason?: string;
};

/** `scannedBy`: only scans of this user. */
export interface ConflictFilter extends Range {
  readonly orderId?: number | undefined;
  readonly scannedBy?: number | undefined;
  readonly settled?: boolean | undefined;
}

export type ScanConflictQueries = ReturnType<typeof createScanConflictQueries>;

const OLDEST_FIRST: ListKey = { columns: { recorded_at: KEY.text, id: KEY.text } };

export function createScanConflictQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const open = async (rows: readonly ScanConflictRow[]): Promise<OpenedConflict[]> =>
    openRows<Pick<OpenedConflict, 'gps' | 'photos' | 'note' | 'return_note' | 'reason'>, ScanConflictRow>(
      rows,
      keyRing,
    );

  return {
    /** Oldest first. */
    async list(
      { orderId, scannedBy, settled, ...range }: ConflictFilter,
      business: number,
    ): Promise<Omit<Page<ScanConflictRow>, 'rows'> & { readonly conflicts: readonly OpenedConflict[] }> {
      const found = database
        .selectFrom('scan_conflicts.scan_conflicts')
        .selectAll()
        .where('business', '=', business)
        .$if(orderId !== undefined, (query) => query.where('order_id', '=', orderId!))
        .$if(scannedBy !== undefined, (query) => query.where('scanned_by', '=', scannedBy!))
        .$if(settled !== undefined, (query) => query.where('decision', settled ? 'is not' : 'is', null));
      const { rows, ...page } = await pageOf(found, range, OLDEST_FIRST);
      return { ...page, conflicts: await open(rows) };
    },
    /**
     * Numbers of conflicts that are not settled: `own` of the user's scans, `all` of the scans of all drivers of the
     * business. `since`: `all` counts only later ones.
     */
    async countOpen(
      business: number,
      scannedBy: number,
      since: string,
    ): Promise<{ readonly own: number; readonly all: number }> {
      const { own, all } = await database
        .selectFrom('scan_conflicts.scan_conflicts')
        .select(({ fn }) => [
          fn
            .countAll<string>()
            .filterWhere('driver_id', 'is not', null)
            .filterWhere('recorded_at', '>', since)
            .as('all'),
          fn.countAll<string>().filterWhere('scanned_by', '=', scannedBy).as('own'),
        ])
        .where('business', '=', business)
        .where('decision', 'is', null)
        .executeTakeFirstOrThrow();
      return { own: Number(own), all: Number(all) };
    },
    async byId(id: string, business: number): Promise<OpenedConflict | undefined> {
      const rows = await database
        .selectFrom('scan_conflicts.scan_conflicts')
        .selectAll()
        .where('id', '=', id)
        .where('business', '=', business)
        .execute();
      return (await open(rows))[0];
    },
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<'scan_conflicts', { 'scan_conflicts.scan_conflicts': ScanConflictRow }> {}
}
