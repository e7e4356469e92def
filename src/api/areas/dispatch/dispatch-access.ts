/** The boards that callers see, and the items as shown to each caller. */
import type { Guards } from '../../../commands/dispatch/guards.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { NOTED, ON_ORDERS, ON_ROUTES, type DecisionName } from '../../../events/dispatch/decisions.js';
import { stateOf, currentHolder, type ItemHistory } from '../../../events/dispatch/item-state.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { seenOf } from '../../../projections/dispatch/board.js';
import type { DispatchQueries } from '../../../projections/dispatch/queries.js';
import type { BoardView, ItemRow } from '../../../projections/dispatch/sources/source.js';
import { businessOf, userOf, type Caller, type CallerKind } from '../../core/callers.js';
import { authorize } from '../../core/invoke.js';
import { addDays, localDate, localDateTime, startOfDay } from '../../../events/core/local-time.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import type { MessageCode } from '../../core/messages/messages.js';
import type { Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { addableDrivers } from '../fleets/permissions.js';
import { actionOf, ORDER_ACTIONS, ROUTE_ACTIONS } from './actions.js';
import type { ItemResponse } from './shapes.js';

export const VIEWERS = ['client_admin', 'employee', 'broker', 'driver', 'auditor'] as const satisfies CallerKind[];
export const DECIDERS = ['client_admin', 'employee', 'broker'] as const satisfies CallerKind[];

/** The desk of the business. The desk of a contractor has the contractor's user id. */
export const BUSINESS_DESK = 0;
/** Captains: read-only, without access to decisions. */
const NO_DESK = -1;

export function deskOf(caller: Caller): number {
  const { role, userId } = userOf(caller);
  return role === 'broker' ? userId : role === 'driver' ? NO_DESK : BUSINESS_DESK;
}

export interface DispatchAccessOptions extends Parts<'fleets' | 'now'> {
  readonly queries: DispatchQueries;
  readonly accounts: Pick<AccountQueries, 'byIds'>;
  readonly guards: Guards;
  /** Finds an operation by name. Available after composition of the application. */
  readonly operation: (name: string) => Operation;
}

export type DispatchAccess = ReturnType<typeof createDispatchAccess>;
type ViewFilter = Pick<BoardView, 'orders' | 'routes' | 'fleetId' | 'routeId'>;
type HeaderReader = Pick<{ header: (name: string) => string | undefined }, 'header'>;

export function createDispatchAccess({ queries, accounts, fleets, guards, operation, now }: DispatchAccessOptions) {
  const today = (caller: Caller) => localDate(now(), userOf(caller).timezone);

  /** The board that the caller sees. Default date: today. */
  async function viewOf(caller: Caller, date = today(caller), filter: ViewFilter = {}): Promise<BoardView> {
    const { role, userId, timezone } = userOf(caller);
    const business = businessOf(caller);
    const at = now();
    const [day, clock] = localDateTime(at, timezone).split(' ') as [string, string];
    return {
      business,
      date,
      timezone,
      now: at,
      dayStart: startOfDay(date, timezone),
      dayEnd: startOfDay(addDays(date, 1), timezone),
      clock: day === date ? clock.slice(0, 5) : day < date ? '' : '24:00',
      settings: await queries.settings(business),
      ...(role === 'broker' && { brokerId: userId }),
      ...(role === 'driver' && { captainId: userId }),
      ...filter,
    };
  }

  const isPermitted = (name: DecisionName, caller: Caller): boolean => {
    try {
      authorize(operation(actionOf(name as keyof typeof ORDER_ACTIONS).operation), caller);
      return true;
    } catch {
      return false;
    }
  };

  /** Decisions that are currently allowed by role, scope and module, and by the deciders of the order or route. */
  async function choicesOf(rows: readonly ItemRow[], caller: Caller): Promise<(row: ItemRow) => DecisionName[]> {
    const { role, userId } = userOf(caller);
    if (!(DECIDERS as readonly string[]).includes(role)) return () => [];
    const commandFields = { commandId: '', business: businessOf(caller), by: userId };
    const brokerId = role === 'broker' ? userId : undefined;
    const [onOrders, onRoutes] = [ON_ORDERS, ON_ROUTES].map((names) =>
      names.filter((name) => isPermitted(name, caller)),
    );
    const [orders, routes] = await Promise.all([
      guards.orders(rows.flatMap(({ order_id }) => order_id ?? [])),
      guards.routes(rows.flatMap(({ order_id, route_id }) => (order_id === null ? (route_id ?? []) : []))),
    ]);
    return ({ order_id, route_id, plan_id, job_id }) => {
      if (plan_id !== null || job_id !== null) return [...NOTED];
      const actions =
        order_id === null
          ? (onRoutes as readonly (typeof ON_ROUTES)[number][]).filter((name) => {
              const { toCommand, prerequisite } = ROUTE_ACTIONS[name];
              return [toCommand(route_id, brokerId), ...(prerequisite ? [prerequisite(brokerId)] : [])].every(
                (command) =>
                  routes.get(route_id!)!({ ...commandFields, ...command, routeId: route_id! } as RouteCommand) ===
                  undefined,
              );
            })
          : (onOrders as readonly (typeof ON_ORDERS)[number][]).filter((name) => {
              const command = ORDER_ACTIONS[name].toCommand(route_id, brokerId);
              return (
                orders.get(order_id)!({ ...commandFields, ...command, orderId: order_id } as OrderCommand) === undefined
              );
            });
      return [...NOTED, ...actions];
    };
  }

  /** Items as shown to the caller. `decidable`: whether they are on today's board, so that decisions are possible. */
  async function show(
    rows: readonly ItemRow[],
    histories: ReadonlyMap<string, ItemHistory>,
    { caller, header }: HeaderReader & { readonly caller: Caller },
    decidable = true,
  ): Promise<ItemResponse[]> {
    const at = now();
    const holderOf = (row: ItemRow) => currentHolder(histories.get(row.item) ?? {}, at);
    const people = rows.flatMap((row) => [row.driver_id ?? [], holderOf(row)?.by ?? []].flat());
    // Contractors see only the names of drivers in their fleets. Fleets R11.
    const [visibleDrivers, choices, named] = await Promise.all([
      userOf(caller).role === 'broker' ? addableDrivers(fleets, caller) : undefined,
      decidable ? choicesOf(rows, caller) : () => [],
      accounts.byIds([...new Set(people)]),
    ]);
    const names = new Map(named.map(({ id, name }) => [id, name]));
    const language = chooseLanguage(header('accept-language'));
    return rows.map(({ item, ...row }) => {
      const history = histories.get(item) ?? {};
      const holder = currentHolder(history, at);
      const seen = seenOf({ ...row, item });
      const lastDecision = history.decided;
      const title_code = `DISPATCH_${row.kind.toUpperCase()}`;
      const isKnown = row.driver_id !== null && (visibleDrivers?.has(row.driver_id) ?? true);
      const driverName = isKnown ? names.get(row.driver_id!) : undefined;
      const takerName = holder && names.get(holder.by);
      return {
        ...row,
        id: item,
        status: stateOf(history, seen, at),
        title_code,
        title: translate(title_code as MessageCode, {}, language),
        ...(driverName !== undefined && { driver_name: driverName }),
        version: seen,
        ...(holder && {
          taken_by: holder.by,
          ...(takerName !== undefined && { taken_by_name: takerName }),
          taken_at: holder.at,
        }),
        ...(lastDecision && { last_decision: toLastDecision(lastDecision) }),
        choices: choices({ ...row, item }),
      };
    });
  }

  return { today, viewOf, show };
}

const toLastDecision = ({ decision_id, decision, by, at, until, outcome }: NonNullable<ItemHistory['decided']>) =>
  ({
    id: decision_id,
    decision,
    decided_by: by,
    decided_at: at,
    ...(until !== undefined && { expires_at: until }),
    ...(outcome && { outcome }),
  }) as NonNullable<ItemResponse['last_decision']>;
