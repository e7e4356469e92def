/** Parts of a process that many factories take, under the names that they have everywhere. */
import type { EventTypes, KeyRing } from './codec.js';
import type { EventLog } from './log.js';

export interface AllParts {
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly keyRing: KeyRing;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told what went wrong in the background. */
  readonly onError: (error: unknown) => void;
}

/** Those of these names. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
