/**
 * Shared parts of the areas of the random mix: the service under test, its clock, and the comparison of a command with
 * its model.
 */
import { EVENT_TYPES, OWN_SUBJECTS } from '../../../../src/areas/index.js';
import { DomainError } from '../../../../src/commands/core/domain-error.js';
import { createErasure, type Erasure } from '../../../../src/areas/wiring/erasure.js';
import { derivedId } from '../../../../src/events/otep/identity.js';
import { createDirectory } from '../../../../src/projections/trackings/directory.js';
import type { TestCore } from '../../worlds/test-core.js';

export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
}

export interface World {
  readonly core: TestCore;
  readonly clock: Clock;
  readonly erasure: Erasure;
  /**
   * Base of the ids of orders, routes, users and businesses. Each run uses fewer than a thousand, so runs do not
   * overlap.
   */
  readonly base: number;
  /** Returns the next UUID of this run, the same for the same seed. */
  readonly nextId: () => string;
}

/** The next action, as data. */
export interface Step {
  readonly act: string;
}

/** One area of the mix: every step runs in the service and in a simple model, whose results must agree. */
export interface Area<S extends Step> {
  /** Returns whether the step was accepted; throws if service and model disagree. */
  readonly play: (step: S) => Promise<boolean>;
  /** Compares the read models, after they have caught up, with the simple model. */
  readonly check: () => Promise<void>;
}

/** `run`: number of the run, from 1. */
export function createWorld(core: TestCore, clock: Clock, run: number): World {
  const { engines, commands, progress, queries } = core;
  let ids = 0;
  return {
    core,
    clock,
    base: run * 1_000,
    nextId: () => derivedId('random mix', run, ++ids),
    erasure: createErasure({
      types: EVENT_TYPES,
      subjectPrefixes: OWN_SUBJECTS,
      engines,
      commands,
      progress,
      directory: createDirectory({ queries, log: engines.log, progress }),
    }),
  };
}

/** Returns whether a command was accepted; rethrows any error that is not a rejection. */
export const accepts = (command: Promise<unknown>): Promise<boolean> =>
  command.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return false;
    },
  );
