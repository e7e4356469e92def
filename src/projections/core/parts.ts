/** The parts of a process (events/core/parts.ts), with the additional parts that read models need. */
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import type { AllParts as EventParts } from '../../events/core/parts.js';
import type { Database } from './database.js';
import type { Progress } from './progress.js';

export interface AllParts extends EventParts {
  readonly database: Kysely<Database>;
  readonly pool: Pool;
  readonly progress: Progress;
  /** UUID of this process. */
  readonly owner: string;
  readonly index: BlindTrigrams;
}

/** The parts with these names. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name>;
