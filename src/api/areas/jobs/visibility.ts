/**
 * Visibility of jobs: staff see jobs of their business, other users see their own jobs; only kinds that the token may
 * read.
 */
import type { JobViewer, StoredJob } from '../../../engines/postgres/jobs.js';
import { businessOf, userOf, isStaff, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Scope } from '../../core/scopes.js';
import type { JobKind } from './kind.js';

export const JOB_CALLERS = ['client_admin', 'employee', 'broker', 'driver', 'customer', 'auditor'] as const;

export type JobVisibility = ReturnType<typeof createJobVisibility>;

export function createJobVisibility(kinds: () => readonly JobKind[]) {
  const kindOf = (name: string) => kinds().find((kind) => kind.name === name);
  const hasScope = (caller: Caller, scope: Scope | undefined) =>
    scope !== undefined && userOf(caller).scopes.has(scope);
  function viewerOf(caller: Caller): JobViewer {
    const { userId } = userOf(caller);
    return { business: businessOf(caller), ...(!isStaff(caller) && { owner: userId }) };
  }
  return {
    kinds,
    kindOf,
    hasScope,
    viewerOf,
    /** Returns the job if the caller may see it; throws JOB_NOT_FOUND if not, or if there is none. */
    expectVisible(job: StoredJob | undefined, caller: Caller): StoredJob {
      const { business, owner } = viewerOf(caller);
      const scope = job && kindOf(job.kind)?.scopes.read;
      if (!job || job.business !== business || (owner !== undefined && job.owner !== owner) || !hasScope(caller, scope))
        throw new ApiError('JOB_NOT_FOUND');
      return job;
    },
  };
}

/** Progress as shown in responses, with four decimals. */
export const roundProgress = (fraction: number): number => Math.round(fraction * 10_000) / 10_000;
