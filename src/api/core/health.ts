/** Health of the process: whether it is ready, and which engine or projection is not, and why. */
import { withTimeout } from '../../engines/timeouts.js';
import { areJobsStalled } from '../../engines/postgres/waiting-jobs.js';
import { checkpoints } from '../../projections/core/checkpoints.js';
import { logTree } from '../../projections/tree/log-tree.js';
import { RELAY } from '../../relay/relay.js';
import { COLLECTOR } from '../../webhooks/collector.js';
import type { Parts } from './parts.js';

export interface HealthOptions extends Parts<'log' | 'pool' | 'now'> {
  /**
   * The service is not ready while a projection is behind the head and has made no progress for longer than this.
   * Milliseconds.
   */
  readonly staleAfter?: number;
  /** Whether the preparations at startup are complete. */
  readonly isPrepared?: () => boolean;
}

export interface Readiness {
  readonly ready: boolean;
  /** Reasons why the service is not ready. */
  readonly problems: readonly string[];
  /** Conditions that need attention but do not affect readiness. */
  readonly warnings: readonly string[];
  readonly head?: string;
  readonly projections: readonly {
    readonly name: string;
    readonly position: string;
    readonly caught_up: boolean;
    readonly worked_on: boolean;
    readonly quarantined_streams: number;
  }[];
}

/** Readers of the log that requests do not depend on: the relay, the webhooks, the notary. */
const OTHER_READERS: ReadonlyMap<string, string> = new Map([
  [RELAY.name, 'relay'],
  [COLLECTOR.name, 'collector'],
  [logTree.name, 'projection'],
]);

const TIMEOUT_MS = 3_000;

export async function readiness({
  log,
  pool,
  staleAfter = 30_000,
  isPrepared = () => true,
  now,
}: HealthOptions): Promise<Readiness> {
  try {
    const [head, all, stalled] = await withTimeout(
      Promise.all([log.head(), checkpoints(pool), areJobsStalled(pool)]),
      TIMEOUT_MS,
      () => new Error('timeout'),
    );
    const problems: string[] = isPrepared() ? [] : ['The service is still being prepared.'];
    // Commands and reads work without a worker, so this is only a warning.
    const warnings: string[] = stalled
      ? ['Jobs are stalled: a job has waited for a minute, and no process with the role worker runs any job.']
      : [];
    const projections = all.map(({ name, position, owned, quarantined, updated_at }) => {
      const caught_up = position >= head;
      // A delayed notification or export does not prevent responses to requests.
      const other = OTHER_READERS.get(name);
      const [reports, what] = other ? [warnings, other] : [problems, 'projection'];
      if (!owned) reports.push(`No process runs the ${what} ${name}.`);
      if (!caught_up && now() - updated_at.getTime() > staleAfter)
        reports.push(`The ${what} ${name} has made no progress since ${updated_at.toISOString()}.`);
      if (quarantined > 0)
        warnings.push(
          `The projection ${name} skips ${quarantined} stream(s) that it could not process: see projections.quarantine.`,
        );
      return { name, position, caught_up, worked_on: owned, quarantined_streams: quarantined };
    });
    return { ready: problems.length === 0, problems, warnings, head, projections };
  } catch (error) {
    return {
      ready: false,
      problems: [`The database or the event log does not respond: ${reasonOf(error)}.`],
      warnings: [],
      projections: [],
    };
  }
}

/** A reason that reveals no addresses or users: the SQLSTATE, or the error code of the connection. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as { code?: unknown; name: string; message: string };
  if (code === '53100') return 'the disk of the database is full';
  if (typeof code === 'string') return code;
  if (message === 'timeout') return `no response within ${TIMEOUT_MS / 1_000} s`;
  // The PostgreSQL driver gives these errors no code.
  if (/connection terminated|connection error/i.test(message)) return 'the connection ended';
  return /timeout/i.test(message) ? 'connection timeout' : name;
}
