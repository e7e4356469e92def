/** A job ends once. Later reports of its end change nothing. */
import type { z } from 'zod';
import type { Fact } from '../../events/core/codec.js';
import { JobFinished } from '../../events/jobs/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider } from '../core/decider.js';

export type JobCommand = z.infer<typeof JobFinished.schema>;

export const jobs: Decider<{ ended: boolean }, JobCommand, undefined> = {
  initial: () => ({ ended: false }),
  begins: () => true,
  decide: ({ ended }, command) => ({
    facts: ended ? [] : [{ id: derivedId('job', command.job_id), type: JobFinished, data: command } as Fact],
    reply: undefined,
  }),
  evolve: () => ({ ended: true }),
};
