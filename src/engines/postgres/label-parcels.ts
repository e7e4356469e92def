/** Parcels with the label of a carrier, by the timelines of their tracking numbers. */
import type { ClientBase, Pool } from 'pg';

export interface LabelParcel {
  /** Id of the timeline. */
  readonly tracking: string;
  readonly business: number;
  readonly accountId: number;
  readonly orderId: number;
  readonly packageId: string;
  readonly trackingNumber: string;
  /** The shipment at the carrier. */
  readonly remoteId: string;
}

export type LabelParcels = ReturnType<typeof createLabelParcels>;

export const PARCEL_COLUMNS = `tracking, business, account_id as "accountId", order_id as "orderId", package_id as "packageId",
  tracking_number as "trackingNumber", remote_id as "remoteId"`;

export function createLabelParcels(pool: Pool) {
  return {
    /** Adds parcels in the transaction of `db`. Of two orders with one number, the newer one has the timeline. */
    async add(db: ClientBase, parcels: readonly LabelParcel[]): Promise<void> {
      const newest = new Map<string, LabelParcel>();
      for (const parcel of parcels) {
        const known = newest.get(parcel.tracking);
        if (!known || known.orderId <= parcel.orderId) newest.set(parcel.tracking, parcel);
      }
      const rows = [...newest.values()];
      await db.query(
        `insert into access.label_parcels as known (tracking, business, account_id, order_id, package_id, tracking_number, remote_id)
         select * from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[])
         on conflict (tracking) do update
           set account_id = excluded.account_id, order_id = excluded.order_id, package_id = excluded.package_id,
               tracking_number = excluded.tracking_number, remote_id = excluded.remote_id
           where known.order_id <= excluded.order_id`,
        [
          rows.map(({ tracking }) => tracking),
          rows.map(({ business }) => business),
          rows.map(({ accountId }) => accountId),
          rows.map(({ orderId }) => orderId),
          rows.map(({ packageId }) => packageId),
          rows.map(({ trackingNumber }) => trackingNumber),
          rows.map(({ remoteId }) => remoteId),
        ],
      );
    },

    /** The parcels of these timelines, by timeline. Timelines of other parcels are absent. */
    async of(trackings: readonly string[]): Promise<ReadonlyMap<string, LabelParcel>> {
      const { rows } = await pool.query<LabelParcel>({
        name: 'label-parcels',
        text: `select ${PARCEL_COLUMNS} from access.label_parcels where tracking = any ($1::uuid[])`,
        values: [trackings],
      });
      return new Map(rows.map((row) => [row.tracking, row]));
    },
  };
}
