/**
 * Decides commands on an order. Hold, route, third party and assignment are stored in one stream, so each decision is
 * based on all of them.
 */
import { DomainError } from '../core/domain-error.js';
import { ChargesSet } from '../../events/bill/events.js';
import type { Fact } from '../../events/core/codec.js';
import type { Decider } from '../core/decider.js';
import { changeBill } from './billing.js';
import { assign, releaseAssignment, revokeAssignment } from './assigning.js';
import { annotate, cancel, create, instruct, reroute, reschedule, setPlanning, setWarehouse } from './changing.js';
import type { OrderCommand, OrderReply } from './command.js';
import { updateByCustomer } from './customer-changes.js';
import {
  giveToThirdParty,
  hold,
  moveToRoute,
  putOnRoute,
  release,
  takeFromThirdParty,
  takeOffRoute,
} from './dispatching.js';
import { handleParcel } from './handling.js';
import { locate } from './locating.js';
import {
  acceptOffer,
  declineOffer,
  expireOffer,
  expireThirdParty,
  offerToThirdParties,
  releaseByThirdParty,
  withdrawOffer,
} from './offering.js';
import { factId, createEventFactory, type EventFactory } from './rules.js';
import { settleScan } from './scan-conflicts.js';
import { followScan, scan } from './scanning.js';
import { transferParcel } from './transferring.js';
import { copyOf, evolve, initial, type OrderState } from './state.js';
import { supersedeScan, followScanAgain, unfollowScan } from './superseding.js';

export type { ActiveAssignment, NewOrder, OrderCommand, OrderReply, OrderUpdate } from './command.js';
export type { CodeWithRowInMessages as Refusal } from '../core/domain-error.js';

/** The part of an order that has a version for callers of its bill: the charges. */
export const CHARGES = 'charges';

export const orders: Decider<OrderState, OrderCommand, OrderReply> = {
  initial,
  begins: (command) => command.do === 'create',
  partOf: ({ type }) => (type === ChargesSet.type ? CHARGES : undefined),

  decide(state, command) {
    // An order of another business gets the same error as a missing order.
    if (
      command.do === 'create'
        ? state.business !== undefined && state.business !== command.business
        : state.business !== command.business
    )
      throw new DomainError(command.do === 'create' ? 'ORDER_EXISTS' : 'ORDER_NOT_FOUND');
    const first = factId(command);
    if (state.done.has(first)) return { facts: [], reply: replyOf(state) };
    const facts = decideEvents(state, command, createEventFactory(command, first));
    return { facts, reply: replyAfter(state, facts) };
  },

  evolve,
};

function decideEvents(state: OrderState, command: OrderCommand, newEvent: EventFactory): Fact[] {
  switch (command.do) {
    case 'create':
      return create(state, command, newEvent);
    case 'cancel':
      return cancel(state, command, newEvent);
    case 'set_charges':
    case 'begin_payment':
    case 'conclude_payment':
    case 'record_payment':
    case 'begin_refund':
    case 'conclude_refund':
      return changeBill(state, command, newEvent);
    case 'reroute':
      return reroute(state, command, newEvent);
    case 'hold':
      return [...expireOffer(state, command, newEvent), ...hold(state, command, newEvent)];
    case 'release':
      return release(state, command, newEvent);
    case 'update': {
      const { updates, byCustomer, price: _price, ...common } = command;
      const events = updates.flatMap((update) => decideEvents(state, { ...common, ...update }, newEvent));
      return byCustomer ? updateByCustomer(state, command, events, newEvent) : events;
    }
    case 'instruct':
      return instruct(state, command, newEvent);
    case 'annotate':
      return annotate(state, command, newEvent);
    case 'set_warehouse':
      return setWarehouse(state, command, newEvent);
    case 'locate':
      return locate(state, command, newEvent);
    case 'set_planning':
      return setPlanning(state, command, newEvent);
    case 'reschedule':
      return reschedule(state, command, newEvent);
    case 'put_on_route':
      return [...expireOffer(state, command, newEvent), ...putOnRoute(state, command, newEvent)];
    case 'move_to_route':
      return moveToRoute(state, command, newEvent);
    case 'take_off_route':
      return takeOffRoute(state, command, newEvent);
    case 'give_to_third_party':
      return [...expireOffer(state, command, newEvent), ...giveToThirdParty(state, command, newEvent)];
    case 'take_from_third_party':
      return takeFromThirdParty(state, command, newEvent);
    case 'offer_to_third_parties':
      return [...expireOffer(state, command, newEvent), ...offerToThirdParties(state, command, newEvent)];
    case 'withdraw_offer':
      return withdrawOffer(state, command, newEvent);
    case 'accept_offer':
      return acceptOffer(state, command, newEvent);
    case 'decline_offer':
      return declineOffer(state, command, newEvent);
    case 'release_by_third_party':
      return releaseByThirdParty(state, command, newEvent);
    case 'expire_third_party':
      return expireThirdParty(state, command, newEvent);
    case 'assign':
      return [...expireOffer(state, command, newEvent), ...assign(state, command, newEvent)];
    case 'revoke_assignment':
      return revokeAssignment(state, command, newEvent);
    case 'release_assignment':
      return releaseAssignment(state, command, newEvent);
    case 'scan':
      return scan(state, command, newEvent);
    case 'handle':
      return handleParcel(state, command, newEvent);
    case 'transfer':
      return transferParcel(state, command, newEvent);
    case 'settle_scan':
      return settleScan(state, command, newEvent);
    case 'supersede_scan':
      return supersedeScan(state, command, newEvent);
    case 'follow_scan':
      return followScan(state, command, newEvent);
    case 'unfollow_scan':
      return unfollowScan(state, command, newEvent);
    case 'follow_scan_again':
      return followScanAgain(state, command, newEvent);
  }
}

const replyOf = ({
  status,
  route,
  assignment,
  packages,
  schedule,
  warehouse,
  planning,
  parcels,
  history: { scans, superseded, conflicts, course },
  bill,
}: OrderState): OrderReply => ({
  status,
  route_id: route,
  assignment,
  packages,
  schedule,
  warehouse,
  planning,
  parcels: new Map(parcels),
  history: {
    scans: new Map(scans),
    superseded: new Map(superseded),
    conflicts: new Map(conflicts),
    course: { ends: new Map(course.ends) },
  },
  bill,
});

/** Works on a copy: the state belongs to the handler, which applies the events after the decision. */
const replyAfter = (state: OrderState, facts: readonly Fact[]): OrderReply =>
  replyOf(
    facts.reduce(
      (next, { type, id, data }) => evolve(next, { type: type.type, id, data: data as never }),
      copyOf(state),
    ),
  );
