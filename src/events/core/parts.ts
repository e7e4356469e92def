/** Dependencies that many factories take, under common names. */
import type { EventTypes, KeyRing } from './codec.js';
import type { EventLog } from './log.js';

export interface AllParts {
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly keyRing: KeyRing;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives errors of background work. */
  readonly onError: (error: unknown) => void;
}

/** The dependencies with these names. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
