/**
 * What the areas of the random mix share: the service under test, its clock, and how a command and its model are
 * compared.
 */
import { EVENT_TYPES, OWN_SUBJECTS } from '../../../../src/areas/index.js';
import { DomainError } from '../../../../src/commands/core/domain-error.js';
import { createErasure, type Erasure } from '../../../../src/areas/wiring/erasure.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { createDirectory } from '../../../../src/projections/trackings/directory.js';
import type { EngineRoom } from '../../worlds/engine-room.js';

export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
}

export interface World {
  readonly room: EngineRoom;
  readonly clock: Clock;
  readonly erasure: Erasure;
  /** Ids of orders, routes, users and businesses are above it, for fewer than a thousand: no two runs meet. */
  readonly base: number;
  /** A UUID: the next one of this run, the same for the same seed. */
  readonly nextId: () => string;
}

/** What happens next, as data. */
export interface Step {
  readonly act: string;
}

/** One area of the mix: every step is given to the service and to a plain model, which must agree. */
export interface Area<S extends Step> {
  /** Throws where service and model disagree; whether it was accepted. */
  readonly play: (step: S) => Promise<boolean>;
  /** The read models against the plain model, once they have caught up. */
  readonly check: () => Promise<void>;
}

/** `run` counts from 1. */
export function createWorld(room: EngineRoom, clock: Clock, run: number): World {
  const { engines, commands, progress, queries } = room;
  let ids = 0;
  return {
    room,
    clock,
    base: run * 1_000,
    nextId: () => derivedId('random mix', run, ++ids),
    erasure: createErasure({
      types: EVENT_TYPES,
      own: OWN_SUBJECTS,
      engines,
      commands,
      progress,
      directory: createDirectory({ queries, log: engines.log, progress }),
    }),
  };
}

/** Whether a command was accepted; what is no refusal is thrown. */
export const accepts = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return false;
    },
  );
