/** Queries on label orders. */
import { sql, type Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { NewLabelOrder } from '../../events/labels/events.js';
import type { LabelOrderState } from '../../events/labels/states.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { LabelRow } from './read-model.js';

/** The personal data of a label order; absent if it was erased. */
type Opened = Pick<NewLabelOrder, 'from' | 'to' | 'return_to' | 'contents' | 'customs'>;

export type LabelOrderView = Omit<LabelRow, 'sealed'> & Opened;

/** `customerId`: only the orders of this customer. */
export interface LabelViewer {
  readonly business: number;
  readonly customerId?: number | undefined;
}

export interface LabelFilter extends Range {
  readonly states?: readonly LabelOrderState[] | undefined;
  readonly customerId?: number | undefined;
  readonly accountId?: number | undefined;
  readonly shipDate?: string | undefined;
  readonly orderRef?: string | undefined;
  /** The number of a package. */
  readonly trackingNumber?: string | undefined;
}

/** An order whose label was bought, but could not be downloaded. */
export interface MissingLabel {
  readonly orderId: number;
  readonly business: number;
}

const withNumber = (number: string) => sql<boolean>`tracking_numbers @> ${JSON.stringify([number])}::jsonb`;

export type LabelQueries = ReturnType<typeof createLabelQueries>;

export function createLabelQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const seenBy = ({ business, customerId }: LabelViewer) =>
    database
      .selectFrom('labels.labels')
      .selectAll()
      .where('business', '=', business)
      .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId!));
  const open = (rows: readonly LabelRow[]): Promise<LabelOrderView[]> => openRows<Opened, LabelRow>(rows, keyRing);

  return {
    byId: async (id: number, viewer: LabelViewer): Promise<LabelOrderView | undefined> =>
      (await open(await seenBy(viewer).where('id', '=', id).execute()))[0],

    /** The newest order with a package of this number. */
    byTrackingNumber: async (number: string, viewer: LabelViewer): Promise<LabelOrderView | undefined> =>
      (await open(await seenBy(viewer).where(withNumber(number)).orderBy('id', 'desc').limit(1).execute()))[0],

    /** Newest first. */
    async list(
      { states, customerId, accountId, shipDate, orderRef, trackingNumber, ...range }: LabelFilter,
      viewer: LabelViewer,
    ) {
      const found = seenBy(viewer)
        .$if(states !== undefined, (query) => query.where('state', 'in', [...states!]))
        .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId!))
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
        .$if(shipDate !== undefined, (query) => query.where('ship_date', '=', shipDate!))
        .$if(orderRef !== undefined, (query) => query.where('order_ref', '=', orderRef!))
        .$if(trackingNumber !== undefined, (query) => query.where(withNumber(trackingNumber!)));
      const page = await pageOf(found, range, NEWEST_FIRST);
      return { ...page, rows: await open(page.rows) } satisfies Page<LabelOrderView>;
    },

    /** Orders with a label that is not stored, created since then (RFC 3339), with a higher id than `after`. By id. */
    async missing(
      since: string,
      { after, limit }: { readonly after: number; readonly limit: number },
    ): Promise<readonly MissingLabel[]> {
      const rows = await database
        .selectFrom('labels.labels')
        .select(['id', 'business'])
        .where('is_label_missing', '=', true)
        .where('created_at', '>=', since)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, business }) => ({ orderId: id, business }));
    },
  };
}
