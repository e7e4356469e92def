/** Integer ids: where they are drawn from, and which read model knows the highest one that is taken. */
import type { ReadModelName } from './projection.js';

export interface Sequence {
  /** The sequence in the database is `access.<name>_id`; it is made where it is not there yet. */
  readonly name: string;
  /** After a restore, sequences start anew and the log does not: they are raised to what this read model holds. */
  readonly readModel: ReadModelName;
  /** Its table with the ids, in a column `id`. */
  readonly table: string;
}

const defined = new Map<string, Sequence>();

/** Defines a sequence of ids; throws at load when there is one of that name. Its area registers it. */
export function sequence(name: string, highest: Omit<Sequence, 'name'>): Sequence {
  if (defined.has(name))
    throw new Error(
      `The sequence ${name} is defined twice: remove one sequence() in src/projections/<area>/read-model.ts and import the other, or rename it.`,
    );
  const made = { name, ...highest };
  defined.set(name, made);
  return made;
}

/** All that are defined. */
export const allSequences = (): readonly Sequence[] => [...defined.values()];
