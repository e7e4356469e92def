/** Decides commands on the erasure of one subject: the decision, and its completion. */
import type { Fact } from '../../events/core/codec.js';
import { derivedId } from '../../events/otep/identity.js';
import { KeysDestroyed, SubjectErased, type SubjectKind } from '../../events/privacy/events.js';
import type { Decider } from '../core/decider.js';

export type PrivacyCommand =
  | {
      readonly do: 'erase';
      readonly commandId: string;
      readonly subject: string;
      readonly kind: SubjectKind;
      readonly business: number | undefined;
      readonly keys: readonly string[];
    }
  /** `keys`: those that were destroyed in addition to the decided ones. */
  | { readonly do: 'destroyed'; readonly subject: string; readonly keys: readonly string[] };

interface ErasureState {
  readonly erased: Set<string>;
  readonly destroyed: Set<string>;
  /** Decided, but not completed. */
  open: boolean;
  turns: number;
}

export const privacy: Decider<ErasureState, PrivacyCommand, undefined> = {
  initial: () => ({ erased: new Set(), destroyed: new Set(), open: false, turns: 0 }),

  decide(state, command) {
    const before = command.do === 'erase' ? state.erased : state.destroyed;
    const keys = command.keys.filter((key) => !before.has(key));
    if (command.do === 'erase') {
      // The erasure is decided again if the subject has got more keys in the meantime.
      if (keys.length === 0) return { facts: [], reply: undefined };
      const { subject, kind, business } = command;
      return {
        facts: [
          {
            id: derivedId('erased', subject, state.turns),
            type: SubjectErased as Fact['type'],
            data: { subject, kind, ...(business !== undefined && { business }), keys },
          },
        ],
        reply: undefined,
      };
    }
    if (keys.length === 0 && !state.open) return { facts: [], reply: undefined };
    return {
      facts: [
        {
          id: derivedId('keys destroyed', command.subject, state.turns),
          type: KeysDestroyed as Fact['type'],
          data: { keys },
        },
      ],
      reply: undefined,
    };
  },

  evolve(state, { type, data }) {
    if (type !== SubjectErased.type && type !== KeysDestroyed.type) return state;
    state.turns++;
    state.open = type === SubjectErased.type;
    for (const key of data['keys'] as string[]) (state.open ? state.erased : state.destroyed).add(key);
    return state;
  },
};
