/**
 * Decides commands on an order. Hold, route, third party and assignment are in one stream, so one state decides on all
 * of them.
 */
import { DomainError } from '../core/domain-error.js';
import type { Fact } from '../../events/core/codec.js';
import type { Decider } from '../core/decider.js';
import { assign, releaseAssignment, revokeAssignment } from './assigning.js';
import { annotate, cancel, create, instruct, reroute, reschedule, setPlanning, setWarehouse } from './changing.js';
import type { OrderCommand, OrderReply } from './command.js';
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
import { factId, happenings, type Happened } from './rules.js';
import { followScan, scan } from './scanning.js';
import { transferParcel } from './transferring.js';
import { evolve, initial, type OrderState } from './state.js';

export type { ActiveAssignment, NewOrder, OrderCommand, OrderReply, OrderUpdate } from './command.js';
export type { CodeWithRowInMessages as Refusal } from '../core/domain-error.js';

export const orders: Decider<OrderState, OrderCommand, OrderReply> = {
  initial,
  begins: (command) => command.do === 'create',

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
    const facts = asked(state, command, happenings(command, first));
    return { facts, reply: replyAfter(state, facts) };
  },

  evolve,
};

function asked(state: OrderState, command: OrderCommand, happened: Happened): Fact[] {
  switch (command.do) {
    case 'create':
      return create(state, command, happened);
    case 'cancel':
      return cancel(state, command, happened);
    case 'reroute':
      return reroute(state, command, happened);
    case 'hold':
      return hold(state, command, happened);
    case 'release':
      return release(state, command, happened);
    case 'update': {
      const { updates, ...whose } = command;
      return updates.flatMap((update) => asked(state, { ...whose, ...update }, happened));
    }
    case 'instruct':
      return instruct(state, command, happened);
    case 'annotate':
      return annotate(state, command, happened);
    case 'set_warehouse':
      return setWarehouse(state, command, happened);
    case 'locate':
      return locate(state, command, happened);
    case 'set_planning':
      return setPlanning(state, command, happened);
    case 'reschedule':
      return reschedule(state, command, happened);
    case 'put_on_route':
      return putOnRoute(state, command, happened);
    case 'move_to_route':
      return moveToRoute(state, command, happened);
    case 'take_off_route':
      return takeOffRoute(state, command, happened);
    case 'give_to_third_party':
      return giveToThirdParty(state, command, happened);
    case 'take_from_third_party':
      return takeFromThirdParty(state, command, happened);
    case 'assign':
      return assign(state, command, happened);
    case 'revoke_assignment':
      return revokeAssignment(state, command, happened);
    case 'release_assignment':
      return releaseAssignment(state, command, happened);
    case 'scan':
      return scan(state, command, happened);
    case 'handle':
      return handleParcel(state, command, happened);
    case 'transfer':
      return transferParcel(state, command, happened);
    case 'follow_scan':
      return followScan(state, command, happened);
  }
}

const replyOf = ({ status, route, assignment, packages, warehouse, planning, parcels }: OrderState): OrderReply => ({
  status,
  route_id: route,
  assignment,
  packages,
  warehouse,
  planning,
  parcels: new Map(parcels),
});

/** Works on a copy: the state belongs to the handler, which applies the events after the decision. */
const replyAfter = (state: OrderState, facts: readonly Fact[]): OrderReply =>
  replyOf(
    facts.reduce(
      (next, { type, id, data }) => evolve(next, { type: type.type, id, data: data as never }),
      copyOf(state),
    ),
  );

const copyOf = (state: OrderState): OrderState => ({
  ...state,
  ended: new Map(state.ended),
  parcels: new Map(state.parcels),
  pinned: new Set(state.pinned),
  done: new Set(),
  followed: new Set(),
});
