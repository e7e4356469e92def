/** Records the fingerprint of a key in the log if it differs from the previous one. */
import type { Fact } from '../../events/core/codec.js';
import { KeyTakenIntoUse } from '../../events/keys/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';

/** `fingerprint`: hexadecimal. */
export interface KeyCommand {
  readonly fingerprint: string;
}

interface KeyState {
  fingerprint?: string;
  /** Number of key changes. A return to an earlier key needs a new event id. */
  changes: number;
}

export const keys: Decider<KeyState, KeyCommand, undefined> = {
  initial: () => ({ changes: 0 }),
  decide: ({ fingerprint: known, changes }, { fingerprint }) => ({
    facts:
      known === fingerprint
        ? []
        : [
            {
              id: derivedId('key', fingerprint, String(changes)),
              type: KeyTakenIntoUse,
              data: { fingerprint },
            } as Fact,
          ],
    reply: undefined,
  }),
  evolve: (state, { data }) => ({ fingerprint: data['fingerprint'] as string, changes: state.changes + 1 }),
};
