/** Jobs as they are kept, and what is asked of their store. */
import type { After, Range } from '../../sql/page-key.js';

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];
/** `stop`: end now, and keep the best so far. */
export type JobWish = 'cancel' | 'stop';

export interface NewJob {
  /** UUID that follows from the command: the same again changes nothing. */
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  /** User id. */
  readonly owner: number;
  /** The stream that it speaks of. */
  readonly subject?: string;
  /** Subjects of the keys of those whom the work names: with their erasure it ends. */
  readonly subjects?: readonly string[];
  /** JSON. */
  readonly work: unknown;
  /** So many of its kind may be queued or running at once, of its business; absent: any number. */
  readonly most?: number;
}

export interface StoredJob {
  readonly id: string;
  readonly kind: string;
  readonly business: number;
  readonly owner: number;
  readonly subject: string | null;
  readonly state: JobState;
  /** 0 to 1, never falling. */
  readonly progress: number;
  readonly step: string | null;
  readonly result: unknown;
  readonly error: JobError | null;
  readonly attempt: number;
  readonly wish: JobWish | null;
  /** Somebody whom it speaks of was erased: it is to end. */
  readonly erased: boolean;
  /** What it has done so far. */
  readonly done: unknown;
  /** How it ends, where that is decided and not carried out yet. */
  readonly ending: JobEnd | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** Grows with each change of state, progress or step. */
  readonly version: number;
  /** Of the last change of progress or step; 0: none yet. */
  readonly progress_version: number;
  /** Each that it had, in order, with the version that brought it. */
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
  /** `error`: why, where nobody asked for it. `done`: what stays done. */
  | { readonly state: 'cancelled'; readonly error?: JobError; readonly done?: unknown };

export interface ClaimedJob extends StoredJob {
  /** Null: forgotten with those whom it named. */
  readonly work: unknown;
}

/** How far it is, to its worker. */
export interface JobNow {
  readonly progress: number;
  readonly step: string | null;
  readonly done?: unknown;
}

/** Whose jobs: a business's, and of it only those of this user where one is given. */
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

export interface JobStore {
  /** Durable when it resolves. False: the business has too many queued, or too many of the kind under way. */
  queue(job: NewJob): Promise<boolean>;
  byId(id: string): Promise<StoredJob | undefined>;
  /** Those that are there, in any order. */
  byIds(ids: readonly string[]): Promise<readonly StoredJob[]>;
  /** Newest first. */
  list(filter: JobFilter, viewer: JobViewer): Promise<JobPage>;
  /** The next job that nobody works on: of the business with the fewest running, of these the one whose turn is longest ago. */
  claim(worker: string): Promise<ClaimedJob | undefined>;
  /** Keeps the lease and the progress. Undefined: somebody else has the job by now. */
  renew(id: string, worker: string, now: JobNow): Promise<Pick<StoredJob, 'wish' | 'erased'> | undefined>;
  /** Holds how it ends: from here on nobody ends it otherwise. False: somebody else has the job by now. */
  decide(id: string, worker: string, end: JobEnd): Promise<boolean>;
  /** Takes a job that nobody works on, to end it as cancelled. Undefined: it does not wait any more. */
  take(id: string, worker: string, error?: JobError): Promise<ClaimedJob | undefined>;
  /** Carries out what was decided. False: somebody else has the job by now. */
  end(id: string, worker: string): Promise<boolean>;
  /** Asks for an end. */
  wish(id: string, wish: JobWish): Promise<void>;
  /** Jobs that wait although somebody whom they speak of was erased. */
  waitingErased(): Promise<readonly string[]>;
  /** Gives back what a worker that ends has begun. */
  release(worker: string): Promise<void>;
  /** Forgets old jobs. */
  sweep(): Promise<number>;
}
