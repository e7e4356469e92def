/** A simple model of orders, assignments and routes as the documentation describes them. */
import fc from 'fast-check';

export const ORDERS = 20;
export const BROKERS = [101, 102, 103] as const;

export const dispatchStep = fc.record({
  act: fc.constantFrom(
    'assign',
    'assign',
    'assign',
    'assign',
    'assign',
    'assign',
    'revoke',
    'revoke',
    'release',
    'release',
    'put',
    'put',
    'put',
    'off',
    'off',
    'off',
    'hold',
    'free',
    'free',
    'give',
    'take',
    'take',
    'cancel',
    'route',
    'driver',
    'close',
  ),
  order: fc.integer({ min: 1, max: ORDERS }),
  business: fc.constantFrom(1, 1, 1, 2),
  broker: fc.constantFrom(...BROKERS),
  byBroker: fc.boolean(),
  route: fc.integer({ min: 1, max: 4 }),
});
export type DispatchStep = typeof dispatchStep extends fc.Arbitrary<infer T> ? T : never;

interface Assigned {
  readonly id: number;
  readonly order: number;
  readonly broker: number;
  status: 'active' | 'revoked' | 'released';
}

interface PlainOrder {
  readonly business: number;
  readonly inRules: boolean;
  status: 'NEW_ORDER' | 'HOLD' | 'PLANNED' | 'CANCELLED';
  route?: number;
  thirdParty: boolean;
  active?: Assigned;
  /** Increases with every change of the order. A client that read the order earlier has an outdated version. */
  changes: number;
}

/** `same`: accepted without a change. */
export type Effect = 'changed' | 'same' | 'refused';

export class DispatchModel {
  readonly orders = new Map<number, PlainOrder>();
  readonly assignments: Assigned[] = [];
  readonly routes = new Map<number, { driver?: number; status: 'open' | 'closed' }>();

  create(id: number, business: number, inRules: boolean): void {
    this.orders.set(id, { business, inRules, status: 'NEW_ORDER', thirdParty: false, changes: 0 });
  }

  /** Returns whether the step is allowed, and applies it if so. */
  apply(step: DispatchStep, assignmentId: number): boolean {
    const { act, business, broker, route } = step;
    const tour = this.routes.get(route);
    if (act === 'route') return !tour && this.routes.set(route, { status: 'open' }) !== undefined;
    if (act === 'driver' || act === 'close') {
      if (!tour || business !== 1 || (act === 'driver' && tour.status === 'closed')) return false;
      if (act === 'driver') tour.driver = broker;
      else tour.status = 'closed';
      return true;
    }
    const effect = act === 'hold' ? this.hold(step.order, business) : this.#change(step, assignmentId);
    if (effect === 'changed' && act !== 'hold') this.orders.get(step.order)!.changes++;
    return effect !== 'refused';
  }

  /** Returns the effect of putting the order on hold. */
  wouldHold(id: number, business: number): Effect {
    const order = this.orders.get(id)!;
    if (order.business !== business) return 'refused';
    if (order.status === 'HOLD') return 'same';
    return waits(order) ? 'changed' : 'refused';
  }

  hold(id: number, business: number): Effect {
    const effect = this.wouldHold(id, business);
    if (effect === 'changed')
      Object.assign(this.orders.get(id)!, { status: 'HOLD', changes: this.orders.get(id)!.changes + 1 });
    return effect;
  }

  #change({ act, order: id, business, broker, byBroker, route }: DispatchStep, assignmentId: number): Effect {
    const order = this.orders.get(id)!;
    if (order.business !== business) return 'refused';
    const { active } = order;
    const end = (status: 'revoked' | 'released') => {
      active!.status = status;
      delete order.active;
    };
    switch (act) {
      case 'assign':
        if (!waits(order) || active?.broker === broker) return 'refused';
        if (active) end('revoked');
        this.assignments.push((order.active = { id: assignmentId, order: id, broker, status: 'active' }));
        return 'changed';
      case 'revoke':
      case 'release':
        if (!active || order.route !== undefined || (act === 'release' && active.broker !== broker)) return 'refused';
        end(act === 'revoke' ? 'revoked' : 'released');
        return 'changed';
      case 'put':
        if (active ? !byBroker || active.broker !== broker : byBroker && !order.inRules) return 'refused';
        if (order.route === route) return 'same';
        if (!waits(order)) return 'refused';
        Object.assign(order, { status: 'PLANNED', route });
        return 'changed';
      case 'off':
        if (order.route !== route) return 'refused';
        order.status = 'NEW_ORDER';
        delete order.route;
        return 'changed';
      case 'free':
        if (order.status !== 'HOLD') return 'refused';
        order.status = 'NEW_ORDER';
        return 'changed';
      case 'give':
        if (order.thirdParty) return 'same';
        if (!waits(order) || active) return 'refused';
        order.thirdParty = true;
        return 'changed';
      case 'take':
        if (!order.thirdParty) return 'refused';
        order.thirdParty = false;
        return 'changed';
      case 'cancel':
        if (order.status === 'CANCELLED') return 'refused';
        order.status = 'CANCELLED';
        delete order.route;
        if (active) end('revoked');
        return 'changed';
      default:
        throw new Error(`The model does not know ${act}.`);
    }
  }
}

const waits = ({ status, thirdParty }: PlainOrder): boolean => status === 'NEW_ORDER' && !thirdParty;
