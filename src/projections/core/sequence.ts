/** Sequences of integer ids, and the read model that knows the highest id in use. */
import type { ReadModelName } from './projection.js';

export interface Sequence {
  /** The sequence in the database is `access.<name>_id`. It is created if it is missing. */
  readonly name: string;
  /**
   * After a restore, sequences restart but the log does not. The service then raises the sequence to the highest id of
   * this read model.
   */
  readonly readModel: ReadModelName;
  /** The table of the read model whose column `id` contains the ids. */
  readonly table: string;
}

const defined = new Map<string, Sequence>();

/** Defines a sequence of ids. Throws at load if the name is already in use. The area of the sequence registers it. */
export function sequence(name: string, highest: Omit<Sequence, 'name'>): Sequence {
  if (defined.has(name))
    throw new Error(
      `The sequence ${name} is defined twice: remove one sequence() in src/projections/<area>/read-model.ts and import the other, or rename it.`,
    );
  const made = { name, ...highest };
  defined.set(name, made);
  return made;
}

/** All defined sequences. */
export const allSequences = (): readonly Sequence[] => [...defined.values()];
