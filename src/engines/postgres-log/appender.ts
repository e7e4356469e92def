/** Writes appends to the database: group-committed, with an outcome for each stream. */
import type pg from 'pg';
import type { AppendOutcome, StreamAppend } from '../../events/core/log.js';
import { toArguments } from './append-arguments.js';
import { AppendedRun } from './appended-run.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { withRetries } from './retry.js';
import { toPosition } from './position.js';
import { lastRevision } from './streams.js';
import { serializeAppend, type SerializedAppend } from './written-append.js';

const UNIQUE_VIOLATION = '23505';

interface WrittenRow {
  readonly revision: number | null;
  readonly first_position: string | null;
  readonly last_position: string | null;
  readonly repeated: boolean;
}

export interface AppenderOptions {
  readonly pool: pg.Pool;
  /** Called with each committed run of consecutive positions. */
  readonly onCommitted: (run: AppendedRun) => void;
  /** Called with the streams that may have new events. */
  readonly onGrown: (streams: readonly string[]) => void;
}

export class Appender {
  readonly #options: AppenderOptions;
  readonly #group: GroupCommit<SerializedAppend>;

  constructor(options: AppenderOptions) {
    this.#options = options;
    this.#group = createGroupCommit({ write: (appends) => this.#writeGroup(appends) });
  }

  /** Keeps the order of the appends in one call; copying a log relies on it. */
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const inOrder = appends.length > 1;
    return Promise.all(appends.map((append) => this.#group.commit(serializeAppend(append), { inOrder })));
  }

  /** Whether appends currently arrive in a burst. */
  isPressed(): boolean {
    return this.#group.isPressed();
  }

  async #writeGroup(appends: readonly SerializedAppend[]): Promise<readonly AppendOutcome[]> {
    const outcomes = await this.#write(appends).catch((error: unknown) => {
      if (!isRace(error)) throw error;
      // Another writer won a race inside the insert. Each stream is then written separately, so that one conflict does
      // not stop the others.
      return this.#writeEach(appends);
    });
    this.#options.onGrown(appends.map(({ stream }) => stream));
    return outcomes;
  }

  async #writeEach(appends: readonly SerializedAppend[]): Promise<readonly AppendOutcome[]> {
    const outcomes: AppendOutcome[] = [];
    for (const append of appends) outcomes.push(await this.#writeAlone(append));
    return outcomes;
  }

  async #writeAlone(append: SerializedAppend): Promise<AppendOutcome> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#write([append]))[0]!;
      } catch (error) {
        if (!isRace(error)) throw error;
        // The second attempt sees the winner's event. If it fails too, one of these event ids exists in another stream.
        if (attempt > 0) return { outcome: 'conflict', actual: await lastRevision(this.#options.pool, append.stream) };
      }
    }
  }

  /** Safe to retry: after a lost response, the retry finds the same ids at the same revisions. */
  async #write(appends: readonly SerializedAppend[]): Promise<readonly AppendOutcome[]> {
    const { rows } = await withRetries(() =>
      this.#options.pool.query<WrittenRow>({
        name: 'log-append-events',
        text: 'select revision, first_position, last_position, repeated from log.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
        values: toArguments(appends),
      }),
    );
    appends.forEach((append, index) => this.#pass(append, rows[index]!));
    return rows.map(toOutcome);
  }

  /** Reports committed events to the readers, if the database gave them consecutive positions. */
  #pass(append: SerializedAppend, { first_position, last_position, repeated }: WrittenRow): void {
    // Events of an earlier attempt have that attempt's metadata, which only the database has.
    if (first_position === null || last_position === null || repeated) return;
    const [first, last] = [BigInt(first_position), BigInt(last_position)];
    if (last - first === BigInt(append.length - 1)) this.#options.onCommitted(new AppendedRun(append, first));
  }
}

const isRace = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION;

const toOutcome = ({ revision, last_position, repeated }: WrittenRow): AppendOutcome =>
  last_position === null
    ? { outcome: 'conflict', actual: revision ?? -1 }
    : { outcome: 'appended', revision: revision!, position: toPosition(last_position), ...(repeated && { repeated }) };
