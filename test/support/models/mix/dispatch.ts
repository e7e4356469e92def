/**
 * Orders, assignments and routes in the random mix: sends commands to the service, and compares its read models with
 * the simple model.
 */
import { expect } from 'chai';
import type { OrderCommand } from '../../../../src/commands/orders/decider.js';
import type { RouteCommand } from '../../../../src/commands/routes/decider.js';
import { orderStream } from '../../../../src/events/orders/events.js';
import { routeStream } from '../../../../src/events/routes/events.js';
import { createAssignmentQueries } from '../../../../src/projections/assignments/queries.js';
import { CAUSE } from '../../worlds/test-core.js';
import { DispatchModel, ORDERS, type DispatchStep } from './dispatch-model.js';
import { accepts, type Area, type World } from './world.js';

const RULES = [{ postal_prefixes: ['10'] }];

export class Dispatch implements Area<DispatchStep> {
  readonly model = new DispatchModel();
  #assignments = 0;
  #before = 0;

  constructor(readonly world: World) {}

  /** Creates the orders of the run. */
  async begin(): Promise<this> {
    const { core, base, nextId } = this.world;
    this.#before = await this.#counted();
    await Promise.all(
      Array.from({ length: ORDERS }, (_, index) => index + 1).map(async (order) => {
        const business = order % 5 === 0 ? 2 : 1;
        const inRules = order % 2 === 0;
        this.model.create(order, business, inRules);
        await core.commands.orders(
          orderStream(base + order),
          {
            do: 'create',
            commandId: nextId(),
            orderId: base + order,
            business,
            order: {
              type: 'D',
              self_delivery: true,
              delivery: { postal_code: inRules ? '10115' : '80331' },
              packages: [{ tracking_number: `MODEL${base + order}` }],
              time_windows: [],
            },
          },
          CAUSE,
        );
      }),
    );
    return this;
  }

  async play(step: DispatchStep): Promise<boolean> {
    const assignmentId = this.world.base * 10 + ++this.#assignments;
    const may = this.model.apply(step, assignmentId);
    expect(await accepts(this.#send(step, assignmentId)), JSON.stringify(step)).to.equal(may);
    return may;
  }

  async #send({ act, order, business, broker, byBroker, route }: DispatchStep, assignmentId: number): Promise<unknown> {
    const {
      core: { commands },
      base,
      nextId,
    } = this.world;
    const common = { commandId: nextId(), business };
    const orderId = base + order;
    const routeId = base + route;
    const toOrder = (command: object) =>
      commands.orders(orderStream(orderId), { ...common, orderId, ...command } as OrderCommand, CAUSE);
    const toRoute = (command: object) =>
      commands.routes(routeStream(routeId), { ...common, routeId, ...command } as RouteCommand, CAUSE);
    const sendByAct: Record<DispatchStep['act'], () => Promise<unknown>> = {
      assign: () => toOrder({ do: 'assign', assignmentId, brokerId: broker, note: `note ${assignmentId}` }),
      revoke: () => toOrder({ do: 'revoke_assignment', reason: 'because' }),
      release: () => toOrder({ do: 'release_assignment', brokerId: broker }),
      put: () => toOrder({ do: 'put_on_route', routeId, ...(byBroker && { brokerId: broker, rules: RULES }) }),
      off: () => toOrder({ do: 'take_off_route', routeId }),
      hold: () => toOrder({ do: 'hold' }),
      free: () => toOrder({ do: 'release' }),
      give: () => toOrder({ do: 'give_to_third_party', provider: 'acme' }),
      take: () => toOrder({ do: 'take_from_third_party', provider: 'acme' }),
      cancel: () => toOrder({ do: 'cancel' }),
      route: () => toRoute({ do: 'create', business: 1, name: `Tour ${route}`, schedule_date: '2026-11-24' }),
      driver: () => toRoute({ do: 'assign_driver', driverId: broker }),
      close: () => toRoute({ do: 'close' }),
    };
    return sendByAct[act]();
  }

  async check(): Promise<void> {
    const {
      model,
      world: {
        base,
        core: {
          engines: { pool },
        },
      },
    } = this;
    const { rows: orders } = await pool.query(
      'select id - $1::int as id, status, route_id - $1::int as route, broker_id, third_party from orders.orders where id between $1 and $1 + 999 order by id',
      [base],
    );
    expect(orders).to.deep.equal(
      [...model.orders]
        .map(([id, { status, route = null, active, thirdParty }]) => ({
          id,
          status,
          route,
          broker_id: active?.broker ?? null,
          third_party: thirdParty ? 'acme' : null,
        }))
        .sort(byId),
    );
    const { rows: tours } = await pool.query(
      'select id - $1::int as id, driver_id, status from routes.routes where id between $1 and $1 + 999 order by id',
      [base],
    );
    expect(tours).to.deep.equal(
      [...model.routes].map(([id, { driver, status }]) => ({ id, driver_id: driver ?? null, status })).sort(byId),
    );
    await this.#checkAssignments();
  }

  /**
   * Compares the list of assignments with the model: newest first, page by page, with every filter, including the
   * counts.
   */
  async #checkAssignments(): Promise<void> {
    const {
      model,
      world: {
        core: {
          engines: { pool, keyRing },
        },
      },
    } = this;
    const queries = createAssignmentQueries({ pool, keyRing });
    const own = model.assignments.filter(({ order }) => model.orders.get(order)!.business === 1).reverse();
    for (const [brokerId, status] of [
      [undefined, undefined],
      [101, undefined],
      [undefined, 'active'],
      [102, 'revoked'],
      [103, 'released'],
    ] as const) {
      const expected = own
        .filter((one) => (!brokerId || one.broker === brokerId) && (!status || one.status === status))
        .map(({ id, status: now }) => `${id} ${now}`);
      const found: string[] = [];
      for (let offset = 0; offset < expected.length; offset += 7) {
        const { assignments } = await queries.list({ business: 1, brokerId, status, offset, limit: 7 });
        found.push(
          ...assignments.map(({ id, status: now, note }) => (expect(note).to.equal(`note ${id}`), `${id} ${now}`)),
        );
      }
      expect(found.slice(0, expected.length)).to.deep.equal(expected);
      const { total } = await queries.list({ business: 1, brokerId, status, offset: 0, limit: 1 });
      expect(total).to.equal(await this.#counted(brokerId, status));
    }
    expect((await this.#counted()) - this.#before).to.equal(own.length);
  }

  /** Counts the assignments of the business in all runs. */
  async #counted(brokerId?: number, status?: string): Promise<number> {
    const {
      rows: [counted],
    } = await this.world.core.engines.pool.query<{ count: string }>(
      'select count(*) from assignments.assignments where business = 1 and ($1::int is null or broker_id = $1) and ($2::text is null or status = $2)',
      [brokerId ?? null, status ?? null],
    );
    return Number(counted!.count);
  }
}

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
