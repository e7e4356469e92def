/**
 * Planning permissions: contractors' rules, drivers' capacities, and the orders that a planner may plan. These follow
 * from rules, assignments and the state of the orders.
 */
import { sql, type Kysely } from 'kysely';
import { type ContractorRule } from '../../events/contractors/events.js';
import type { Capacity } from '../../events/drivers/events.js';
import { ORDER_STATUSES } from '../../events/orders/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { OrderRow } from '../orders/row.js';

export type PlannableOrder = Pick<
  OrderRow,
  | 'id'
  | 'order_ref'
  | 'type'
  | 'status'
  | 'status_id'
  | 'schedule_date'
  | 'pickup_postal_code'
  | 'delivery_postal_code'
  | 'assignment_id'
  | 'broker_id'
>;

/** The planner: a business, or one of its contractors with its rules. `ids`: only these orders. */
export interface Planner {
  readonly business: number;
  readonly ids?: readonly number[];
  readonly contractor?: { readonly id: number; readonly rules: readonly ContractorRule[] };
}

export type PlanningQueries = ReturnType<typeof createPlanningQueries>;

const DISPATCHABLE = ORDER_STATUSES.filter(({ dispatchable }) => dispatchable).map(({ status }) => status);
const COLUMNS = [
  'id',
  'order_ref',
  'type',
  'status',
  'status_id',
  'schedule_date',
  'pickup_postal_code',
  'delivery_postal_code',
  'assignment_id',
  'broker_id',
] as const;

export function createPlanningQueries(database: Kysely<Database>) {
  /** `version`: revision of their stream; -1: none were set. */
  async function versionedRules(brokerId: number, business: number) {
    const row = await database
      .selectFrom('workers.workers')
      .select(['rules', 'revision'])
      .where('id', '=', brokerId)
      .where('business', '=', business)
      .executeTakeFirst();
    const rules: readonly ContractorRule[] = row?.rules ?? [];
    return { rules, version: row?.revision ?? -1 };
  }

  return {
    versionedRules,
    /** Empty if no rules are set. */
    rulesOf: async (brokerId: number, business: number) => (await versionedRules(brokerId, business)).rules,

    /** Revisions of the last events that set capacity or skills, by user id. Drivers without such events are absent. */
    async versions(driverIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
      const rows = await database
        .selectFrom('workers.workers')
        .select(['id', 'revision'])
        .where('id', 'in', [-1, ...driverIds])
        .execute();
      return new Map(rows.map(({ id, revision }) => [id, revision]));
    },

    /** Keyed by user id; drivers without a capacity are absent. */
    async capacities(driverIds: readonly number[]): Promise<ReadonlyMap<number, Capacity>> {
      const rows =
        driverIds.length === 0
          ? []
          : await database
              .selectFrom('workers.workers')
              .select(['id', 'capacity'])
              .where('id', 'in', [...driverIds])
              .execute();
      return new Map(rows.flatMap(({ id, capacity }) => (capacity ? [[id, capacity] as const] : [])));
    },

    /** Orders that this planner may plan, earliest day first. */
    async pool(
      { business, contractor, ids }: Planner,
      range: Range,
    ): Promise<Omit<Page<PlannableOrder>, 'rows'> & { readonly orders: readonly PlannableOrder[] }> {
      const pool = database
        .selectFrom('orders.orders')
        .where('business', '=', business)
        .where('status', 'in', DISPATCHABLE)
        .where('self_delivery', '=', true)
        .where('route_id', 'is', null)
        .where('third_party', 'is', null)
        .where('offered_until', 'is', null)
        .$if(ids !== undefined, (query) => query.where((where) => where('id', '=', where.fn.any(where.val([...ids!])))))
        .where((where) =>
          contractor
            ? where.or([
                where('broker_id', '=', contractor.id),
                where.and([where('broker_id', 'is', null), answersTo(contractor.rules)]),
              ])
            : where('broker_id', 'is', null),
        );
      const { rows, ...page } = await pageOf(pool.select(COLUMNS), range, BY_ID, (query) =>
        query.orderBy('schedule_date').orderBy('id'),
      );
      return { ...page, orders: rows };
    },

    /**
     * Unplanned orders that the business cannot plan: on hold, assigned to a contractor, with a third party or
     * offered to one, or delivered by others. Earliest day first.
     */
    keptBack: (
      business: number,
      { offset, limit }: { readonly offset: number; readonly limit: number },
    ): Promise<readonly PlannableOrder[]> =>
      database
        .selectFrom('orders.orders')
        .where('business', '=', business)
        .where('status', 'in', [...DISPATCHABLE, 'HOLD'])
        .where('route_id', 'is', null)
        .where((where) =>
          where.or([
            where('status', '=', 'HOLD'),
            where('broker_id', 'is not', null),
            where('third_party', 'is not', null),
            where('offered_until', 'is not', null),
            where('self_delivery', '=', false),
          ]),
        )
        .select(COLUMNS)
        .orderBy('schedule_date')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute(),
  };
}

/** The SQL version of `ruleFor` in events/contractors/events.ts. A test checks that both agree. */
function answersTo(rules: readonly ContractorRule[]) {
  const within = (column: 'pickup_postal_code' | 'delivery_postal_code') =>
    sql`exists (select from jsonb_array_elements_text(r.postal_prefixes) prefix where starts_with(upper(regexp_replace(${sql.ref(column)}, '\\s', '', 'g')), prefix))`;
  return sql<boolean>`exists (select from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as r (order_types jsonb, postal_prefixes jsonb)
    where (r.order_types is null or r.order_types ? type)
      and (r.postal_prefixes is null or case type when 'D' then ${within('delivery_postal_code')} when 'P' then ${within('pickup_postal_code')} else ${within('pickup_postal_code')} and ${within('delivery_postal_code')} end))`;
}
