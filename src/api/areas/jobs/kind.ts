/** A kind of long work. Each area says its own; the worker and the operations of jobs go over all of them. */
import type { Cause } from '../../../commands/core/handle.js';
import type { JobCommand } from '../../../commands/jobs/decider.js';
import type { Scope } from '../../core/scopes.js';

export interface JobKind {
  readonly name: string;
  /** What a token needs to see such a job, and to end one. */
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  /** Whether its best so far can be kept where it is ended early. */
  readonly stoppable: boolean;
  /**
   * Does the work, and gives back its result: JSON without a person, up to 64 KiB. It acts only through commands whose
   * ids follow from the job's: another attempt does it again. A refusal (DomainError, ApiError) fails the job; all else
   * that is thrown is tried again.
   */
  run(work: unknown, job: JobHandle): Promise<unknown>;
  /** Subjects of the keys of those whom the work names: with their erasure it is forgotten, and the job ends. */
  subjectsOf?(work: unknown): readonly string[];
  /** What its end tells of its result, or of what is done where it was cancelled. */
  told?(result: unknown): Told;
  /** Tells the area that it failed or was cancelled, unless its work is forgotten; may be called again. */
  broken?(
    work: unknown,
    job: Pick<JobHandle, 'id' | 'cause'>,
    end: { readonly state: 'failed' | 'cancelled'; readonly code: string },
  ): Promise<unknown>;
}

/**
 * `rejected`: of the lines of a table, say, those that were refused. `dry_run`: nothing was to be done. `counts`: of
 * what was to be done one by one.
 */
export type Told = Pick<JobCommand, 'rejected' | 'dry_run' | 'counts'>;

/** Keeps the types of the work and of its result together. */
export const jobKind = <Work, Result = unknown>(
  kind: Omit<JobKind, 'run' | 'broken' | 'told' | 'subjectsOf'> & {
    subjectsOf?(work: Work): readonly string[];
    run(work: Work, job: JobHandle): Promise<Result>;
    told?(result: NoInfer<Result>): Told;
    broken?(
      work: Work,
      ...more: Parameters<NonNullable<JobKind['broken']>> extends [unknown, ...infer M] ? M : never
    ): Promise<unknown>;
  },
): JobKind => kind as JobKind;

/** What a job is, to who does it. */
export interface JobHandle {
  readonly id: string;
  readonly business: number;
  readonly owner: number;
  /** 1, or how often it has been begun. */
  readonly attempt: number;
  /** Aborted: end, and keep nothing. Also where the lease was lost and where the process ends. */
  readonly cancelled: AbortSignal;
  /** Aborted: end, and keep the best so far. */
  readonly stopped: AbortSignal;
  readonly cause: Cause;
  /** `fraction` from 0 to 1. */
  readonly progress: (fraction: number, step: string) => void;
  /** What is done so far, as a result would tell it: where the job is cancelled, it is `done` of its result. */
  readonly done: (result: unknown) => void;
  /**
   * Its own files: what another attempt continues from, and what is too large for a result. `put` ends the job where
   * one of the subjects was erased since it began: what it has read of them must not be kept.
   */
  readonly artifacts: {
    put(name: string, mediaType: string, content: Buffer, subjects: readonly string[]): Promise<void>;
    get(name: string): Promise<Buffer | undefined>;
  };
}
