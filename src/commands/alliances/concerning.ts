/**
 * Adds the affected businesses to the events of an alliance. The event must store the businesses, because a reader
 * cannot derive the members at that time from the event later.
 */
import {
  AllianceDissolved,
  AllianceGrantEnded,
  AllianceGrantGiven,
  AllianceGrantRevoked,
} from '../../events/alliances/events.js';
import type { NewEvent } from '../core/entity.js';
import { isOpen, joinedOf, type AllianceState } from './state.js';

interface Naming {
  readonly business?: number;
  readonly founded_by_business?: number;
  readonly grant_id?: number;
  readonly from_business?: number;
  readonly to_business?: number | undefined;
}

/**
 * Adds the affected businesses to the events of one append, based on the state before the append. Events that end a
 * grant also get the details of the grant.
 */
export const concerning = (state: AllianceState, newEvents: readonly NewEvent[], at: number): NewEvent[] =>
  newEvents.map(({ type, data }) => ({ type, data: { ...data, ...addedTo(state, type.type, data as Naming, at) } }));

function addedTo(state: AllianceState, type: string, data: Naming, at: number): object {
  const joined = joinedOf(state).map(([business]) => business);
  /** A grant concerns only the business that gave it and its recipients. */
  const sharing = (from: number, to: number | undefined): number[] =>
    unique([from, ...(to === undefined ? joined : [to])]);
  switch (type) {
    case AllianceGrantGiven.type:
      return { concerns: sharing(data.from_business!, data.to_business) };
    case AllianceGrantRevoked.type:
    case AllianceGrantEnded.type: {
      const { from, to, kind, until } = state.grants.get(data.grant_id!)!;
      return {
        from_business: from,
        to_business: to,
        kind,
        until: Number.isFinite(until) ? new Date(until).toISOString() : undefined,
        concerns: sharing(from, to),
      };
    }
    case AllianceDissolved.type: {
      const invited = [...state.members].filter(([, member]) => isOpen(member, at)).map(([business]) => business);
      return { concerns: unique([...joined, ...invited]) };
    }
    default:
      return { concerns: unique([...joined, (data.business ?? data.founded_by_business)!]) };
  }
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
