/**
 * A kind of long-running job. Each area defines its own kinds; the worker and the job operations support all of them.
 */
import type { Cause } from '../../../commands/core/handle.js';
import type { JobCommand } from '../../../commands/jobs/decider.js';
import type { Scope } from '../../core/scopes.js';

export interface JobKind {
  readonly name: string;
  /** Scopes that a token needs to read such a job, and to cancel it. */
  readonly scopes: { readonly read: Scope; readonly write: Scope };
  /** Whether an early stop can keep the best result so far. */
  readonly stoppable: boolean;
  /**
   * Runs the job and returns its result: JSON without personal data, up to 64 KiB. All effects are commands whose ids
   * derive from the job's id, because another attempt repeats them. A rejection (DomainError, ApiError) fails the job;
   * any other thrown error is retried.
   */
  run(work: unknown, job: JobHandle): Promise<unknown>;
  /** Whether a job with this work may run for minutes. Such jobs never take the last slot (slots.ts). Default: no. */
  isLong?(work: unknown): boolean;
  /** Subjects of the keys of persons that the work names. Their erasure deletes the work and ends the job. */
  subjectsOf?(work: unknown): readonly string[];
  /** The parts of the result, or of the completed work of a cancelled job, that the event of its end records. */
  summarize?(result: unknown): JobSummary;
  /** Notifies the area that the job failed or was cancelled, unless its work was erased. May be called repeatedly. */
  onAborted?(
    work: unknown,
    job: Pick<JobHandle, 'id' | 'cause'>,
    end: { readonly state: 'failed' | 'cancelled'; readonly code: string },
  ): Promise<unknown>;
}

/**
 * `rejected`: number of rejected items, for example lines of a table. `dry_run`: the job was a dry run. `counts`:
 * numbers of a job that processes items one by one.
 */
export type JobSummary = Pick<JobCommand, 'rejected' | 'dry_run' | 'counts'>;

/** Ties the type of the work to the type of its result. */
export const jobKind = <Work, Result = unknown>(
  kind: Omit<JobKind, 'run' | 'onAborted' | 'summarize' | 'subjectsOf' | 'isLong'> & {
    isLong?(work: Work): boolean;
    subjectsOf?(work: Work): readonly string[];
    run(work: Work, job: JobHandle): Promise<Result>;
    summarize?(result: NoInfer<Result>): JobSummary;
    onAborted?(
      work: Work,
      ...more: Parameters<NonNullable<JobKind['onAborted']>> extends [unknown, ...infer M] ? M : never
    ): Promise<unknown>;
  },
): JobKind => kind as JobKind;

/** The interface through which a job kind accesses its running job. */
export interface JobHandle {
  readonly id: string;
  readonly business: number;
  readonly owner: number;
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** Aborted: end and discard all results. Also aborted if the lease is lost or the process ends. */
  readonly cancelled: AbortSignal;
  /** Aborted: end and keep the best result so far. */
  readonly stopped: AbortSignal;
  readonly cause: Cause;
  /** `fraction` from 0 to 1. */
  readonly progress: (fraction: number, step: string) => void;
  /**
   * Reports the work completed so far, in the shape of the result. If the job is cancelled, its result has it as
   * `done`.
   */
  readonly done: (result: unknown) => void;
  /**
   * Files of the job: state for another attempt, and content that is too large for a result. `put` ends the job if one
   * of the subjects was erased since the job began, because data of erased persons must not be stored.
   */
  readonly artifacts: {
    put(name: string, mediaType: string, content: Buffer, subjects: readonly string[]): Promise<void>;
    get(name: string): Promise<Buffer | undefined>;
  };
}
