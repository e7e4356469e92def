/** Types of stored jobs, and the interface of their store. */
import type { After, Range } from '../../sql/page-key.js';

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];
/** `stop`: end now and keep the best result so far. */
export type StopRequest = 'cancel' | 'stop';

export interface NewJob {
  /** UUID derived from the command: repeating it has no effect. */
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  /** User id. */
  readonly owner: number;
  /** The stream that the job concerns. */
  readonly subject?: string;
  /** Subjects of the keys of persons that the work names. An erasure of any of them ends the job. */
  readonly subjects?: readonly string[];
  /** JSON. */
  readonly work: unknown;
  /** Whether the job may run for minutes. */
  readonly long?: boolean;
  /** Maximum number of queued and running jobs of this kind per business; absent: unlimited. */
  readonly most?: number;
}

export interface StoredJob {
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  readonly owner: number;
  readonly subject: string | null;
  /** The job may run for minutes. */
  readonly long: boolean;
  readonly state: JobState;
  /** 0 to 1; never decreases. */
  readonly progress: number;
  readonly step: string | null;
  readonly result: unknown;
  readonly error: JobError | null;
  readonly attempt: number;
  readonly wish: StopRequest | null;
  /** A person that the job concerns was erased, so the job must end. */
  readonly erased: boolean;
  /** The work that is completed so far. */
  readonly done: unknown;
  /** The decided end of the job that is not applied yet. */
  readonly ending: JobEnd | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** Increases with each change of state, progress or step. */
  readonly version: number;
  /** Version of the last change of progress or step; 0: none yet. */
  readonly progress_version: number;
  /** All states of the job, in order, each with its version. */
  readonly states: readonly { readonly version: number; readonly state: JobState }[];
}

export interface JobError {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** How a job ended. */
export type JobEnd =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed'; readonly error: JobError }
  /** `error`: the reason, if no user requested the cancellation. `done`: work that remains completed. */
  | { readonly state: 'cancelled'; readonly error?: JobError; readonly done?: unknown };

export interface ClaimedJob extends StoredJob {
  /** Null: deleted because a person that it named was erased. */
  readonly work: unknown;
}

/** Progress that the worker reports. */
export interface JobNow {
  readonly progress: number;
  readonly step: string | null;
  readonly done?: unknown;
}

/** Restricts jobs to a business, and to one of its users if `owner` is set. */
export interface JobViewer {
  readonly business: number;
  readonly owner?: number;
}

export interface JobFilter extends Range {
  readonly kinds: readonly string[];
  readonly state?: JobState | undefined;
}

export interface JobPage {
  readonly total: number;
  readonly next: After | undefined;
  readonly jobs: readonly StoredJob[];
}

/** Jobs that a worker does not claim. */
export interface ClaimExclusions {
  readonly businesses: readonly number[];
  /** Whether long jobs are excluded. */
  readonly long: boolean;
}

export interface JobStore {
  /**
   * Durable when it resolves. Returns false if the business has too many queued jobs, or too many queued and running
   * jobs of the kind.
   */
  queue(job: NewJob): Promise<boolean>;
  byId(id: string): Promise<StoredJob | undefined>;
  /** The existing jobs, in any order. */
  byIds(ids: readonly string[]): Promise<readonly StoredJob[]>;
  /** Newest first. */
  list(filter: JobFilter, viewer: JobViewer): Promise<JobPage>;
  /**
   * Claims the next job that no worker holds. The business with the fewest running jobs comes first; among equals, the
   * business whose last job started longest ago.
   */
  claim(worker: string, exclusions?: ClaimExclusions): Promise<ClaimedJob | undefined>;
  /** Renews the lease and stores the progress. Undefined: another worker holds the job. */
  renew(id: string, worker: string, now: JobNow): Promise<Pick<StoredJob, 'wish' | 'erased'> | undefined>;
  /**
   * Stores the end of the job; it can then no longer be changed. False: another worker holds the job, or its end is
   * already decided.
   */
  decide(id: string, worker: string, end: JobEnd): Promise<boolean>;
  /** Takes a queued job that no worker holds, to end it as cancelled. Undefined: the job is no longer queued. */
  take(id: string, worker: string, error?: JobError): Promise<ClaimedJob | undefined>;
  /** Applies the decided end. False: another worker holds the job. */
  end(id: string, worker: string): Promise<boolean>;
  /** Requests an end. */
  wish(id: string, wish: StopRequest): Promise<void>;
  /** Queued jobs that concern an erased person. */
  waitingErased(): Promise<readonly string[]>;
  /** Returns the running jobs of a stopping worker to the queue. */
  release(worker: string): Promise<void>;
  /** Deletes old jobs. */
  sweep(): Promise<number>;
}
