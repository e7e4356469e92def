/** Read operations: the board of a day, and one item of the board. */
import { z } from 'zod';
import { statusCountSchema } from '../orders/output.js';
import type { EventLog } from '../../../events/core/log.js';
import {
  STATES,
  stateOf,
  currentHolder,
  type ItemState,
  type ItemHistory,
} from '../../../events/dispatch/item-state.js';
import { seenOf, type BoardQueries } from '../../../projections/dispatch/board.js';
import type { DispatchQueries } from '../../../projections/dispatch/queries.js';
import { BOARD_READS, KINDS } from '../../../projections/dispatch/sources/index.js';
import type { BoardView, ItemRow } from '../../../projections/dispatch/sources/source.js';
import { userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { pageOfRows } from '../../../projections/core/page-of-rows.js';
import type { Parts } from '../../core/parts.js';
import { viewerOf } from '../fleets/permissions.js';
import { subjectOf } from './subject.js';
import { deskOf, VIEWERS, type DispatchAccess } from './dispatch-access.js';
import { itemSchema } from './shapes.js';
import { toDecision } from './decision-response.js';

export const READ = {
  area: 'Dispatch',
  callers: VIEWERS,
  scopes: ['routes:read', 'orders:read'],
  reads: BOARD_READS,
} as const;

/** Format: `<kind>:<id>`. Other values are treated as missing items. */
export const itemInput = z.string().min(1).max(60).describe('Id of the item, `<kind>:<id>`, as on the board.');

export interface BoardOptions extends Parts<'fleets' | 'log'> {
  readonly boards: BoardQueries;
  readonly queries: DispatchQueries;
  readonly access: DispatchAccess;
}

/**
 * The current item, as visible on the board of the caller. Throws ITEM_GONE. If the caller may see the order or route
 * of the item, the error contains its latest event.
 */
export const createFindItem =
  ({ boards, log }: Pick<BoardOptions, 'boards' | 'log'>) =>
  async (view: BoardView, item: string): Promise<ItemRow> => {
    const { about, id, stream } = subjectOf(item);
    const filter = { ...view, [`${about}s` as const]: [id] };
    const row = (await boards.board(filter)).items.find((one) => one.item === item);
    if (row) return row;
    const touched = await boards.touching(filter);
    throw new ApiError('ITEM_GONE', {
      ...(touched.length > 0 && { members: { solved_by: await latestEvent(log, [stream, ...touched]) } }),
    });
  };

/** The latest event of these streams. */
async function latestEvent(log: EventLog, streams: readonly string[]) {
  const events = [...(await log.readMany([...new Set(streams)])).values()].flatMap((stream) => stream.slice(-1));
  const [last] = events.sort((a, b) => (a.position < b.position ? 1 : -1));
  return last && { type: last.type, at: last.metadata['recorded_at'] };
}

const counts = z.object({ open: z.int(), taken: z.int(), decided: z.int() });

const boardSchema = z
  .object({
    schedule_date: z.string(),
    as_of: z.string(),
    counts: z
      .record(z.string(), counts)
      .describe('Number of items by kind and status. All items that the caller can see are counted.'),
    observed: z
      .object({
        order_counts: z.array(statusCountSchema).describe('Orders of the day by status.'),
        route_counts: z
          .object({ planned: z.int(), under_way: z.int(), finished: z.int() })
          .meta({ id: 'RouteStageCounts' }),
        driver_counts: z
          .object({ on_duty: z.int(), silent: z.int() })
          .meta({ id: 'DriverDutyCounts' })
          .describe(
            '`on_duty`: drivers of routes in progress. `silent`: drivers of routes in progress without recent activity.',
          ),
      })
      .meta({ id: 'DispatchObserved' }),
  })
  .meta({ id: 'DispatchBoard' });

export function boardOperations({ boards, queries, access, fleets, log }: BoardOptions): Operation[] {
  const findItem = createFindItem({ boards, log });
  return [
    operation({
      ...READ,
      name: 'dispatchBoard',
      summary: 'Get the dispatch board with items that need attention',
      description:
        "Returns items that need a dispatcher, most severe first, and figures of the day. Items are based on observed facts, not predictions. Contractors see only their own items. Captains see only items of routes of their fleets. Only items of today's board can be decided. Boards of other days have no `choices`.",
      rest: { method: 'get', path: '/v1/dispatch/board' },
      answers: { 404: 'There is no such fleet, or the caller may not see it.' },
      input: z.object({
        schedule_date: z.iso
          .date()
          .optional()
          .describe('Day of the board. Default: today in the time zone of the business.'),
        kinds: z
          .array(z.enum(KINDS as [string, ...string[]]))
          .min(1)
          .max(KINDS.length)
          .optional(),
        status: z
          .enum([...STATES, 'all'])
          .default('all')
          .describe('Status of the items. `all`: open and taken items.'),
        mine: z.boolean().optional().describe('Return only items that the caller has taken.'),
        route_id: idSchema.optional(),
        fleet_id: idSchema.optional(),
        ...pageInput,
      }),
      output: z.object({
        ...pageOutput,
        items: z
          .array(itemSchema)
          .describe('Items, sorted by severity (most severe first), then by age (oldest first).'),
        board: boardSchema,
      }),
      async run({ schedule_date, kinds, status, mine, route_id, fleet_id, ...page }, context) {
        const { caller } = context;
        if (fleet_id !== undefined && !(await fleets.byId(fleet_id, viewerOf(caller))))
          throw new ApiError('FLEET_NOT_FOUND');
        const view = await access.viewOf(caller, schedule_date, { routeId: route_id, fleetId: fleet_id });
        const [board, orders, histories] = await Promise.all([
          boards.board(view),
          boards.ordersOf(view),
          queries.itemHistories(view.business, view.date, deskOf(caller)),
        ]);
        const { userId } = userOf(caller);
        const states = new Map(board.items.map((row) => [row.item, currentStateOf(row, histories, view.now)]));
        const matchingItems = board.items.filter(({ item, kind }) => {
          const state = states.get(item)!;
          return (
            (status === 'all' ? state !== 'decided' : state === status) &&
            (kinds?.includes(kind) ?? true) &&
            (!mine || currentHolder(histories.get(item) ?? {}, view.now)?.by === userId)
          );
        });
        const { rows, ...found } = pageOfRows(matchingItems, rangeOf(page), ({ item }) => item);
        return {
          ...pageOf(page, found),
          items: await access.show(rows, histories, context, view.date === access.today(caller)),
          board: {
            schedule_date: view.date,
            as_of: new Date(view.now).toISOString(),
            counts: countsOf(board, states),
            observed: { order_counts: [...orders], route_counts: board.routes, driver_counts: board.drivers },
          },
        };
      },
    }),

    operation({
      ...READ,
      name: 'dispatchItem',
      summary: 'Get an item of the dispatch board with its decisions',
      description: "Returns an item of today's board, with the decisions of today and the current `choices`.",
      rest: { method: 'get', path: '/v1/dispatch/items/:item_id' },
      answers: {
        404: '`ITEM_GONE`: the item does not exist, or is no longer on the board. `solved_by` contains the latest event of the order or route of the item, if the caller may see this event.',
      },
      input: z.object({ item_id: itemInput }),
      output: z.object({ result: z.boolean(), item: itemSchema }),
      async run({ item_id: item }, context) {
        const { caller } = context;
        const view = await access.viewOf(caller);
        const ownDesk = deskOf(caller);
        const row = await findItem(view, item);
        const [histories, decisions] = await Promise.all([
          queries.itemHistories(view.business, view.date, ownDesk, item),
          queries.decisions(
            { business: view.business, desk: ownDesk === 0 ? undefined : ownDesk },
            { from: view.date, to: view.date, item, limit: 100 },
          ),
        ]);
        const [shown] = await access.show([row], histories, context);
        return { result: true, item: { ...shown!, decisions: decisions.map(toDecision) } };
      },
    }),
  ];
}

function currentStateOf(row: ItemRow, histories: ReadonlyMap<string, ItemHistory>, now: number): ItemState {
  const history = histories.get(row.item);
  return history ? stateOf(history, seenOf(row), now) : 'open';
}

/** Items that are not listed have no recorded state, so they count as open. */
function countsOf(
  { items, totals }: { readonly items: readonly ItemRow[]; readonly totals: ReadonlyMap<string, number> },
  states: ReadonlyMap<string, ItemState>,
): Record<string, z.infer<typeof counts>> {
  const countsByKind = Object.fromEntries([...totals.keys()].map((kind) => [kind, { open: 0, taken: 0, decided: 0 }]));
  for (const { item, kind } of items) countsByKind[kind]![states.get(item)!] += 1;
  for (const [kind, total] of totals)
    countsByKind[kind]!.open = total - countsByKind[kind]!.taken - countsByKind[kind]!.decided;
  return countsByKind;
}
