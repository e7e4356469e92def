import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { orders, type NewOrder, type OrderCommand } from '../../../src/commands/orders/decider.js';
import { NO_BILL } from '../../../src/events/bill/state.js';
import { ORDER_STATUSES, SCAN_CODES, statusOfCode } from '../../../src/events/orders/events.js';
import { statusTable } from '../../../src/events/orders/status-table.js';
import { instantOf } from '../../../src/events/otep/time.js';
import { given } from '../../support/checks/given.js';

let commands = 0;
type OrderCommandBody = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'> & { commandId?: string; business?: number }
    : never
  : never;
const ask = (body: OrderCommandBody): OrderCommand =>
  ({ commandId: `c${++commands}`, orderId: 7, business: 1, ...body }) as OrderCommand;

const ORDER: NewOrder = {
  type: 'D',
  self_delivery: true,
  delivery: { name: 'Ada', street: '1 Main St', city: 'Toronto', country: 'CA' },
  packages: [{ tracking_number: 'A1' }],
  time_windows: [],
  schedule_date: '2026-01-02',
};
const create = (order: Partial<NewOrder> = {}) => ask({ do: 'create', order: { ...ORDER, ...order }, by: 5 });
const order = (...commands: readonly OrderCommand[]) => given(orders, create(), ...commands);
const scan = (status_code: string, { at = '2026-01-02T10:00:00Z', number = 'A1' } = {}) =>
  ask({ do: 'scan', tracking_number: number, status_code, occurred_at: at, instant: instantOf(at)! });
const follow = (status_code: string, { at = '2026-01-02T10:00:00Z', number = 'A1', scan = `s${++commands}` } = {}) =>
  ask({
    do: 'follow_scan',
    tracking_number: number,
    status_code,
    occurred_at: at,
    instant: instantOf(at)!,
    scan,
    provider: 'carrier',
  });
const putOnRoute = (routeId = 3, brokerId?: number) =>
  ask({ do: 'put_on_route', routeId, ...(brokerId !== undefined && { brokerId }) });
const takeOffRoute = (brokerId?: number) =>
  ask({ do: 'take_off_route', routeId: 3, ...(brokerId !== undefined && { brokerId }) });
const give = (provider = 'acme') => ask({ do: 'give_to_third_party', provider });
const assign = (brokerId = 20, assignmentId = 100) => ask({ do: 'assign', brokerId, assignmentId, by: 5 });
const hold = () => ask({ do: 'hold', reason: 'paid late' });

/** The error code that rejects the command after these events; undefined if it is accepted. */
function refused(past: ReturnType<typeof order>, command: OrderCommand): string | undefined {
  try {
    past.when(command);
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(DomainError);
    return (error as DomainError).code;
  }
}

describe('commands to an order', () => {
  it('creation happens once, with the same response for a retry', () => {
    const command = create();
    const { facts, reply, then } = given(orders).when(command);
    expect(facts).to.have.length(1);
    expect(facts[0]).to.deep.include({ type: 'OrderCreated' });
    expect(facts[0]!.data).to.deep.include({ order_id: 7, business: 1, created_by: 5, type: 'D' });
    expect(reply).to.deep.equal({
      status: 'NEW_ORDER',
      route_id: undefined,
      assignment: undefined,
      packages: [{ tracking_number: 'A1' }],
      schedule: { time_windows: [], schedule_date: '2026-01-02' },
      warehouse: undefined,
      parcels: new Map(),
      planning: {},
      history: { scans: new Map(), superseded: new Map(), conflicts: new Map(), course: { ends: new Map() } },
      bill: NO_BILL,
    });
    expect(then.when(command)).to.deep.include({ facts: [], reply });
    expect(refused(then, create())).to.equal('ORDER_EXISTS');
  });

  it('another business gets ORDER_NOT_FOUND', () => {
    for (const command of [hold(), assign(), scan('delivered'), ask({ do: 'cancel' })]) {
      expect(refused(order(), { ...command, business: 2 }), command.do).to.equal('ORDER_NOT_FOUND');
      expect(refused(given(orders), command), command.do).to.equal('ORDER_NOT_FOUND');
    }
  });

  describe('hold and release', () => {
    it('HOLD and back to NEW_ORDER; a second hold changes nothing', () => {
      const held = order().when(hold());
      expect(held.types).to.deep.equal(['OrderHeld']);
      expect(held.reply.status).to.equal('HOLD');
      expect(held.then.when(hold()).facts).to.deep.equal([]);
      const released = held.then.when(ask({ do: 'release' }));
      expect(released.reply.status).to.equal('NEW_ORDER');
      expect(refused(released.then, ask({ do: 'release' }))).to.equal('ORDER_NOT_HELD');
    });

    it('a hold blocks routes, contractors and third parties until it is released (C4)', () => {
      for (const command of [putOnRoute(), assign(), give()]) {
        expect(refused(order(hold()), command), command.do).to.equal('ORDER_HELD');
        expect(order(hold(), ask({ do: 'release' })).when(command).facts, command.do).to.have.length(1);
      }
    });

    it('orders under way or closed cannot be held', () => {
      expect(refused(order(putOnRoute()), hold())).to.equal('ORDER_ON_ROUTE');
      expect(refused(order(give()), hold())).to.equal('HELD_BY_THIRD_PARTY');
      expect(refused(order(scan('in_transit')), hold())).to.equal('NOT_DISPATCHABLE');
      expect(refused(order(scan('delivered')), hold())).to.equal('ALREADY_DELIVERED');
      expect(refused(order(ask({ do: 'cancel' })), hold())).to.equal('ORDER_CLOSED');
    });

    it('scans do not release a hold, a terminal status does', () => {
      const seen = order(hold()).when(scan('received'));
      expect(seen.types).to.deep.equal(['PackageScanned']);
      expect(seen.reply.status).to.equal('HOLD');
      expect(order(hold()).when(scan('delivered')).reply.status).to.equal('DELIVERED');
    });
  });

  describe('routes', () => {
    it('adding and removing restores the previous status', () => {
      expect(order(putOnRoute()).when(takeOffRoute()).reply).to.deep.include({
        status: 'NEW_ORDER',
        route_id: undefined,
      });
      expect(order(scan('received'), putOnRoute()).when(takeOffRoute()).reply.status).to.equal('RECEIVED');
      expect(order(putOnRoute(), scan('out_for_delivery')).when(takeOffRoute()).reply.status).to.equal('RECEIVED');
      expect(order(putOnRoute(), scan('out_for_pickup')).when(takeOffRoute()).reply.status).to.equal('NEW_ORDER');
    });

    it('it is on at most one route at a time', () => {
      expect(order().when(putOnRoute()).reply).to.deep.include({ status: 'PLANNED', route_id: 3 });
      expect(order(putOnRoute()).when(putOnRoute()).facts).to.deep.equal([]);
      expect(refused(order(putOnRoute()), putOnRoute(4))).to.equal('ORDER_ON_ROUTE');
      expect(refused(order(), takeOffRoute())).to.equal('ORDER_NOT_ON_ROUTE');
    });

    it('only its contractor can plan an assigned order', () => {
      expect(refused(order(assign(20)), putOnRoute())).to.equal('ASSIGNED_TO_CONTRACTOR');
      expect(order(assign(20)).when(putOnRoute(3, 20)).types).to.deep.equal(['OrderPutOnRoute']);
    });

    it('for a contractor, orders outside its assignments and rules do not exist', () => {
      const rules = [{ order_types: ['D' as const] }];
      const byRule = (command: OrderCommand) => ({ ...command, rules }) as OrderCommand;
      for (const plan of [putOnRoute(4, 21), takeOffRoute(21)]) {
        expect(refused(order(), plan), 'no rule').to.equal('ORDER_NOT_FOUND');
        for (const deliveryPlan of [plan, byRule(plan)])
          expect(refused(order(assign(20)), deliveryPlan), "another contractor's").to.equal('ORDER_NOT_FOUND');
        expect(refused(order(putOnRoute(5)), plan), "on the client's route").to.equal('ORDER_NOT_FOUND');
      }
      expect(refused(order(hold()), byRule(putOnRoute(4, 21)))).to.equal('ORDER_HELD');
      expect(refused(order(), byRule(takeOffRoute(21)))).to.equal('ORDER_NOT_ON_ROUTE');
      expect(refused(order(assign(21)), takeOffRoute(21))).to.equal('ORDER_NOT_ON_ROUTE');
      expect(
        order(byRule(putOnRoute(3, 21))).when(takeOffRoute(21)).types,
        'the rules may have changed since',
      ).to.deep.equal(['OrderTakenOffRoute']);
    });

    it('orders that others deliver, and finished orders, are rejected', () => {
      expect(refused(given(orders, create({ self_delivery: false })), putOnRoute())).to.equal('NOT_SELF_DELIVERY');
      expect(refused(order(give()), putOnRoute())).to.equal('HELD_BY_THIRD_PARTY');
      expect(refused(order(scan('delivered')), putOnRoute())).to.equal('ALREADY_DELIVERED');
      expect(refused(order(scan('picked_up')), putOnRoute())).to.equal('NOT_DISPATCHABLE');
    });
  });

  describe('contractor assignment', () => {
    it('records who assigned the order, and to whom', () => {
      expect(order().when(assign()).facts).to.deep.equal([
        {
          type: 'OrderAssigned',
          data: { assignment_id: 100, business: 1, broker_id: 20, note: undefined, assigned_by: 5 },
        },
      ]);
    });

    it('a move ends the old assignment and opens the new one in one step', () => {
      const { types, facts, reply } = order(assign(20, 100)).when(assign(21, 101));
      expect(types).to.deep.equal(['AssignmentRevoked', 'OrderAssigned']);
      expect(facts[0]!.data).to.deep.include({ assignment_id: 100, broker_id: 20, why: 'move', ended_by: 5 });
      expect(reply.assignment).to.deep.equal({ assignment_id: 101, broker_id: 21 });
    });

    it('the same contractor again is rejected, a retried command is not', () => {
      const first = assign(20, 100);
      expect(refused(order(first), assign(20, 101))).to.equal('ALREADY_ASSIGNED');
      expect(order(first).when(first)).to.deep.include({ facts: [] });
      expect(
        order(first, assign(21, 101)).when(first).facts,
        'a retry does not restore the previous assignment',
      ).to.deep.equal([]);
    });

    it('is rejected on a route, with another carrier, and in a wrong status', () => {
      expect(refused(order(putOnRoute()), assign())).to.equal('ORDER_ON_ROUTE');
      expect(refused(given(orders, create({ self_delivery: false })), assign())).to.equal('NOT_SELF_DELIVERY');
      expect(refused(order(give()), assign())).to.equal('HELD_BY_THIRD_PARTY');
      expect(refused(order(scan('in_transit')), assign())).to.equal('NOT_DISPATCHABLE');
      expect(refused(order(ask({ do: 'cancel' })), assign())).to.equal('NOT_DISPATCHABLE');
    });

    it('is revoked by the client and released by its contractor, but not from a route', () => {
      const revoke = () => ask({ do: 'revoke_assignment', reason: 'strike' });
      const release = (brokerId = 20) => ask({ do: 'release_assignment', brokerId });
      expect(order(assign()).when(revoke()).facts[0]).to.deep.nested.include({
        type: 'AssignmentRevoked',
        'data.why': 'revoke',
        'data.reason': 'strike',
      });
      expect(order(assign()).when(release()).types).to.deep.equal(['AssignmentReleased']);
      expect(refused(order(), revoke())).to.equal('NOT_ASSIGNED');
      expect(refused(order(assign()), release(21))).to.equal('NOT_ASSIGNED_TO_YOU');
      expect(refused(order(assign(20), putOnRoute(3, 20)), revoke())).to.equal('ORDER_ON_ROUTE');
      expect(refused(order(assign(20), putOnRoute(3, 20)), release())).to.equal('RELEASE_ON_ROUTE');
    });
  });

  it('a third party takes and returns an order, one at a time', () => {
    expect(order().when(give()).types).to.deep.equal(['ThirdPartyTookOrder']);
    expect(order(give()).when(give()).facts).to.deep.equal([]);
    expect(refused(order(give()), give('other'))).to.equal('HELD_BY_THIRD_PARTY');
    expect(refused(order(assign()), give())).to.equal('ASSIGNED_TO_CONTRACTOR');
    expect(refused(order(putOnRoute()), give())).to.equal('ORDER_ON_ROUTE');
    const back = ask({ do: 'take_from_third_party', provider: 'acme' });
    expect(order(give()).when(back).types).to.deep.equal(['ThirdPartyReturnedOrder']);
    expect(refused(order(), back)).to.equal('NOT_WITH_THIRD_PARTY');
  });

  describe('cancel and reroute', () => {
    it('cancelling also removes the route and the contractor in the same append', () => {
      const { types, reply } = order(assign(20), putOnRoute(3, 20)).when(ask({ do: 'cancel' }));
      expect(types).to.deep.equal(['OrderCancelled', 'OrderTakenOffRoute', 'AssignmentRevoked']);
      expect(reply).to.deep.include({ status: 'CANCELLED', route_id: undefined, assignment: undefined });
    });

    it('is rejected after delivery, and a second time', () => {
      expect(refused(order(scan('delivered')), ask({ do: 'cancel' }))).to.equal('ALREADY_DELIVERED');
      expect(refused(order(ask({ do: 'cancel' })), ask({ do: 'cancel' }))).to.equal('ORDER_CLOSED');
    });

    it('rerouted before pick-up, it refers to its successor', () => {
      const reroute = () =>
        ask({ do: 'reroute', replacement: { order_id: 8, delivery: { city: 'Ottawa' }, tracking_numbers: ['B1'] } });
      expect(order().when(reroute()).facts[0]).to.deep.nested.include({
        type: 'OrderCancelled',
        'data.replacement.order_id': 8,
      });
      expect(refused(order(scan('picked_up')), reroute())).to.equal('ALREADY_PICKED_UP');
      expect(refused(order(scan('received'), putOnRoute()), reroute())).to.equal('ALREADY_PICKED_UP');
      expect(refused(order(putOnRoute()), reroute())).to.equal('ORDER_ON_ROUTE');
      expect(refused(order(give()), reroute())).to.equal('HELD_BY_THIRD_PARTY');
      expect(
        refused(given(orders, create({ type: 'P', delivery: undefined, pickup: { city: 'Ottawa' } })), reroute()),
      ).to.equal('NOTHING_TO_REROUTE');
    });
  });

  it('instruction, note and windows can change; the same windows record nothing', () => {
    expect(order().when(ask({ do: 'instruct', delivery_instruction: 'ring twice' })).types).to.deep.equal([
      'DeliveryInstructionChanged',
    ]);
    expect(order(ask({ do: 'cancel' })).when(ask({ do: 'annotate', note: 'called' })).types).to.deep.equal([
      'OrderNoteChanged',
    ]);
    expect(refused(order(ask({ do: 'cancel' })), ask({ do: 'instruct', delivery_instruction: 'x' }))).to.equal(
      'ORDER_CLOSED',
    );
    const reschedule = () =>
      ask({
        do: 'reschedule',
        time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
        schedule_date: '2026-01-03',
      });
    const { types, then } = order().when(reschedule());
    expect(types).to.deep.equal(['TimeWindowChanged']);
    expect(then.when(reschedule()).facts).to.deep.equal([]);
    expect(then.when(ask({ do: 'reschedule', schedule_date: '2026-01-03' })).facts).to.deep.equal([]);
  });

  describe('scans', () => {
    it('change the status of the order', () => {
      const { facts } = order().when(scan('picked_up'));
      expect(facts.map(({ type }) => type)).to.deep.equal(['PackageScanned', 'OrderStatusChanged']);
      expect(facts[1]!.data).to.deep.include({ status: 'PICKED_UP', previous: 'NEW_ORDER' });
      expect(refused(order(), scan('picked_up', { number: 'Z' }))).to.equal('UNKNOWN_PACKAGE');
    });

    it('that are older than the last one are recorded, and do not change the status', () => {
      expect(
        order(scan('out_for_delivery', { at: '2026-01-02T12:00:00Z' })).when(
          scan('received', { at: '2026-01-02T09:00:00Z' }),
        ).types,
      ).to.deep.equal(['PackageScanned']);
    });

    it('of several packages: the order ends with the last one', () => {
      const both = (...commands: OrderCommand[]) =>
        given(orders, create({ packages: [{ tracking_number: 'A1' }, { tracking_number: 'A2' }] }), ...commands);
      expect(both().when(scan('delivered')).types).to.deep.equal(['PackageScanned']);
      expect(both(scan('delivered')).when(scan('delivered', { number: 'A2' })).reply.status).to.equal('DELIVERED');
      expect(
        both(scan('delivered')).when(follow('return_to_sender', { number: 'A2' })).reply.status,
        'delivered where any was',
      ).to.equal('DELIVERED');
      expect(both(scan('return_to_sender')).when(scan('return_to_sender', { number: 'A2' })).reply.status).to.equal(
        'RETURNED',
      );
      expect(both().when(follow('delivered')).types).to.deep.equal(['PackageEnded']);
    });

    it("of a carrier's timeline are applied once, and never rejected", () => {
      const delivered = follow('delivered', { scan: 's1' });
      expect(order(give()).when(delivered).facts[0]).to.deep.nested.include({
        type: 'OrderStatusChanged',
        'data.status': 'DELIVERED',
        'data.scan': 's1',
      });
      expect(order(delivered).when({ ...delivered, commandId: 'another' }).facts).to.deep.equal([]);
      for (const command of [
        follow('cancelled'),
        follow('x-weighed'),
        follow('information_submitted'),
        follow('delivered', { number: 'Z' }),
      ])
        expect(order().when(command).facts).to.deep.equal([]);
    });
  });
});

describe('the statuses of an order', () => {
  it('are listed in docs/orders.md', () => {
    expect(readFileSync('docs/orders.md', 'utf8')).to.include(statusTable());
  });

  it('have unique ids and names, and lead only to existing ones', () => {
    const names = ORDER_STATUSES.map(({ status }) => status);
    expect(new Set(names).size).to.equal(names.length);
    expect(new Set(ORDER_STATUSES.map(({ id }) => id)).size).to.equal(names.length);
    for (const { status, final, next } of ORDER_STATUSES) {
      expect(names, status).to.include.members([...next]);
      expect(next.length === 0, status).to.equal(final);
    }
  });

  it('every scan code leads from every status under way to its own', () => {
    for (const code of SCAN_CODES)
      for (const { status, next, final } of ORDER_STATUSES)
        if (!final && status !== 'HOLD' && status !== statusOfCode(code))
          expect(next, `${status} ${code}`).to.include(statusOfCode(code));
  });
});
