/** A log is told of a key when it is another one than before. */
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
  /** An earlier key may come back, and is told once more. */
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
