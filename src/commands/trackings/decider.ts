/**
 * Decides commands on a tracking: open, record, retract, grant, revoke. Also detects duplicates within the tracking.
 */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import { TrackingWriterGranted, TrackingWriterRevoked } from '../../events/trackings/events.js';
import type { Decider } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import type { Outcome, TrackingCommand } from './command.js';
import { open } from './opening.js';
import { plan } from './planning.js';
import { push } from './push.js';
import { evolve, initial, type TrackingState } from './state.js';

export const trackings: Decider<TrackingState, TrackingCommand, readonly Outcome[]> = {
  initial,

  decide(state, command) {
    switch (command.kind) {
      case 'push':
        return push(state, command);
      case 'open':
        return { facts: state.owner ? [] : open(command), reply: [] };
      case 'plan':
        if (!state.owner) throw new DomainError('NOT_FOUND');
        return { facts: plan(state, command.id, command.planned), reply: [] };
      case 'grant':
        if (!state.owner) throw new DomainError('NOT_FOUND');
        return {
          facts: state.writers.has(command.provider)
            ? []
            : [fact(command.id, TrackingWriterGranted, { provider: command.provider }, state)],
          reply: [],
        };
      case 'revoke':
        return {
          facts: state.writers.has(command.provider)
            ? [fact(command.id, TrackingWriterRevoked, revokedBy(command), state)]
            : [],
          reply: [],
        };
    }
  },

  evolve,
};

const revokedBy = ({ provider, refusesAll }: Extract<TrackingCommand, { readonly kind: 'revoke' }>) => ({
  provider,
  ...(refusesAll && { refuses_all: true as const }),
});

function fact(
  id: string,
  type: typeof TrackingWriterGranted | typeof TrackingWriterRevoked,
  data: { provider: string },
  state: TrackingState,
): Fact {
  return { id: derivedId(type.type, id, state.turns), type: type as Fact['type'], data };
}
