/**
 * Data of other businesses that a business may read now. The statement that reads the data also checks the grant. The
 * check never uses a token, a cache or an earlier query. Grants of an alliance row with a revision below its floor are
 * ignored. So a revoked grant has no effect, even if the read model lags.
 */
import type { Pool } from 'pg';
import type { GrantKind } from '../../events/alliances/events.js';
import { NEWEST_FIRST, nextAfter, valuesAfter, type After, type Range } from '../../sql/page-key.js';
import type { OrderFilter } from '../orders/filter.js';
import { openOrder, type Order } from '../orders/order.js';
import type { EventData, OrderRow } from '../orders/row.js';
import { openIdentifiers } from '../trackings/naming.js';
import { rowFrom } from '../trackings/stored.js';
import type { TrackingRow } from '../trackings/row.js';
import { OPEN, used, type Taker, type Via } from './active-grants.js';
import type { GrantRow } from './read-model.js';

export interface SharedTracking {
  readonly via: Via;
  readonly kind: GrantKind;
  readonly row: TrackingRow;
  /** The first event of the package's order, still encrypted; only if the grant includes the recipient. */
  readonly order: EventData | undefined;
}

export interface SharedOrders {
  /** Whether there is any grant. Without one, the caller must not learn whether there are orders. */
  readonly granted: boolean;
  readonly total: number;
  readonly next: After | undefined;
  /** Newest first, without decrypted personal data. */
  readonly orders: readonly { readonly via: Via; readonly order: Order }[];
}

/** Excludes filters that would reveal the owner's customers, routes and references. */
export type SharedOrderFilter = Pick<
  OrderFilter,
  'status' | 'type' | 'scheduledFrom' | 'scheduledTo' | 'createdFrom' | 'createdTo'
> & { readonly id?: number };

export interface OpenGrant extends GrantRow {
  readonly alliance_id: number;
}

export type AllianceAccess = ReturnType<typeof createAllianceAccess>;

/** SQL condition: grant `g` covers order `o`. */
const FITS = `
  (g.customer_ids is null or o.customer_id = any (g.customer_ids))
  and (g.order_types is null or o.type = any (g.order_types))
  and (g.postal_prefixes is null or exists (select from unnest(g.postal_prefixes) p where starts_with(o.delivery_postal_code, p)))`;

interface Found extends Via {
  readonly kind: GrantKind;
}

export function createAllianceAccess(pool: Pool, now: () => number) {
  const common = ({ business, giver, userId }: Taker, operation: string) => [
    business,
    new Date(now()).toISOString(),
    giver,
    userId,
    operation,
  ];

  return {
    /**
     * Finds the owner's tracking with this tracking number or other public identifier. Undefined: no grant covers such
     * a tracking.
     */
    async tracking(number: string, taker: Taker): Promise<SharedTracking | undefined> {
      const { rows } = await pool.query<Found & Parameters<typeof rowFrom>[0] & { readonly order_created: EventData }>({
        name: 'alliance-tracking',
        text: `
          with found as (
            select g.alliance_id, g.grant_id, g.kind, t.*, case when g.kind = 'tracking_full' then o.created end as order_created
              from (${OPEN}) g
              join timeline.trackings t on t.owner_kind = 'business' and t.owner_id = g.from_business::text
              left join orders.packages k on k.tracking = t.id
              left join orders.orders o on o.id = k.order_id and o.business = g.from_business
             where g.from_business = $3 and g.kind in ('tracking', 'tracking_full') and ${FITS}
               and t.id in (select id from timeline.trackings where number = any ($6)
                            union all select tracking from timeline.identifiers where identifier = any ($6))
             order by t.generation desc, g.kind desc, g.alliance_id, g.grant_id
             limit 1
          ), used as (${used('number')})
          select * from found`,
        values: [...common(taker, 'tracking'), openIdentifiers(number)],
      });
      const found = rows[0];
      if (!found) return undefined;
      const { alliance_id, grant_id, kind, order_created, ...row } = found;
      return { via: { alliance_id, grant_id }, kind, row: rowFrom(row), order: order_created ?? undefined };
    },

    /** Orders of the owner: the one with this id, or all that grants cover. */
    async orders(
      taker: Taker,
      { id, offset, limit, after, ...filter }: SharedOrderFilter & Range,
    ): Promise<SharedOrders> {
      const { status, type, scheduledFrom, scheduledTo, createdFrom, createdTo } = filter;
      const { rows } = await pool.query<Found & OrderRow & { readonly total: number; readonly is_more: boolean }>({
        name: 'alliance-orders',
        text: `
          with granted as (
            select * from (${OPEN}) g where from_business = $3 and kind = 'orders'
          ), shown as (
            select distinct on (o.id) g.alliance_id, g.grant_id, o.*
              from granted g
              join orders.orders o on o.business = g.from_business
             where ${FITS} and ($6::int is null or o.id = $6)
               and ($9::text is null or o.status = $9) and ($10::text is null or o.type = $10)
               and ($11::text is null or o.schedule_date >= $11) and ($12::text is null or o.schedule_date <= $12)
               and ($13::text is null or o.created_at >= $13) and ($14::text is null or o.created_at < $14)
             order by o.id desc, g.alliance_id, g.grant_id
          ), ahead as (
            select * from shown where $15::int is null or id < $15 order by id desc offset $7 limit $8 + 1
          ), found as (
            select * from ahead order by id desc limit $8
          ), used as (${used("coalesce($6::text, '')", '$6::int is null')})
          select found.*, (select count(*) from shown)::int as total, (select count(*) > $8 from ahead) as is_more
            from (select from granted limit 1) is_granted left join found on true order by id desc`,
        values: [
          ...[...common(taker, 'orders'), id ?? null, after ? 0 : offset, limit],
          ...[status, type, scheduledFrom, scheduledTo, createdFrom, createdTo].map((value) => value ?? null),
          ...valuesAfter(after, NEWEST_FIRST),
        ],
      });
      return {
        granted: rows.length > 0,
        total: rows[0]?.total ?? 0,
        next: rows[0]?.is_more ? nextAfter(rows, { offset, limit, after }, NEWEST_FIRST) : undefined,
        orders: rows
          .filter(({ id: found }) => found !== null)
          .map(({ alliance_id, grant_id, total: _total, is_more: _isMore, ...row }) => ({
            via: { alliance_id, grant_id },
            // No keys are passed, so no personal data is decrypted.
            order: openOrder(row, new Map()),
          })),
      };
    },

    /** All grants that are active for a business now. */
    async openTo(business: number): Promise<readonly OpenGrant[]> {
      const { rows } = await pool.query<OpenGrant>({
        name: 'alliance-open',
        text: `${OPEN} order by g.from_business, a.id, g.grant_id`,
        values: [business, new Date(now()).toISOString()],
      });
      return rows;
    },

    /** From now on, the grants of the alliance's row are ignored until the row has this revision. */
    async raiseFloor(allianceId: number, revision: number): Promise<void> {
      await pool.query(
        `insert into access.alliance_floors as f (alliance_id, revision) values ($1, $2)
         on conflict (alliance_id) do update set revision = greatest(f.revision, excluded.revision)`,
        [allianceId, revision],
      );
    },
  };
}
