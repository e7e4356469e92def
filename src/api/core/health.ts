/** Health of the process: whether it is ready, and which engine or projection is not, and why. */
import { withTimeout } from '../../engines/timeouts.js';
import { areJobsStalled } from '../../engines/postgres/waiting-jobs.js';
import type { Position } from '../../events/core/log.js';
import { checkpoints, type CheckpointStatus } from '../../projections/core/checkpoints.js';
import { lagAt, type LagOptions, type LogReader } from '../../projections/core/lag.js';
import { logTree } from '../../projections/tree/log-tree.js';
import { RELAY } from '../../relay/relay.js';
import { COLLECTOR } from '../../webhooks/collector.js';
import type { Parts } from './parts.js';

export interface HealthOptions extends Parts<'log' | 'pool' | 'now'> {
  /**
   * The service is not ready while a projection has made no progress for longer than this, with an event after its
   * position that is as old. Milliseconds.
   */
  readonly staleAfter?: number;
  /** Followers of the log in addition to the projections. Requests do not depend on them. */
  readonly followers?: readonly LogReader[];
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
    /** Age in seconds of the oldest event that a follower has not followed. Absent for projections. */
    readonly lag_s?: number;
  }[];
}

/** Readers of the log that requests do not depend on: the relay, the webhooks, the notary. */
const OTHER_READERS: ReadonlyMap<string, string> = new Map([
  [RELAY.name, 'relay'],
  [COLLECTOR.name, 'collector'],
  [logTree.name, 'projection'],
]);
/** A follower with a longer lag is reported, in milliseconds. */
const LONG_LAG_MS = 30_000;

const TIMEOUT_MS = 3_000;

export async function readiness({
  log,
  pool,
  staleAfter = 30_000,
  followers = [],
  isPrepared = () => true,
  now,
}: HealthOptions): Promise<Readiness> {
  try {
    const { head, all, stalled, lags, standing } = await withTimeout(
      stateOf({ log, pool, now, followers, staleAfter }),
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
      const lag = lags.get(name);
      const other = OTHER_READERS.get(name) ?? (lags.has(name) ? 'follower' : undefined);
      const [reports, what] = other ? [warnings, other] : [problems, 'projection'];
      if (!owned) reports.push(`No process runs the ${what} ${name}.`);
      if (standing.has(name))
        reports.push(`The ${what} ${name} has made no progress since ${updated_at.toISOString()}.`);
      // A process that is only behind still answers requests, so it must not be taken out of a load balancer.
      if (lag !== undefined && lag > LONG_LAG_MS)
        warnings.push(`The ${what} ${name} is ${Math.round(lag / 1_000)} s behind the log.`);
      if (quarantined > 0)
        warnings.push(
          `The projection ${name} skips ${quarantined} stream(s) that it could not process: see projections.quarantine.`,
        );
      return {
        name,
        position,
        caught_up,
        worked_on: owned,
        quarantined_streams: quarantined,
        ...(lag !== undefined && { lag_s: lag / 1_000 }),
      };
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

async function stateOf({
  followers,
  staleAfter,
  ...options
}: Required<Pick<HealthOptions, 'followers' | 'staleAfter'>> & LagOptions) {
  const { log, pool } = options;
  const [head, all, stalled] = await Promise.all([log.head(), checkpoints(pool), areJobsStalled(pool)]);
  const positions = new Map(all.map(({ name, position }) => [name, position]));
  const lagsOf = followers.map(async (follower) => {
    const position = positions.get(follower.name);
    return position === undefined ? [] : [[follower.name, await lagAt(follower, { position, head }, options)] as const];
  });
  const [standing, lags] = await Promise.all([standingStill(all, { head, staleAfter }, options), Promise.all(lagsOf)]);
  return { head, all, stalled, lags: new Map(lags.flat()), standing };
}

/**
 * Names of the readers that have not moved for `staleAfter` although an event after their position is as old. Without
 * such an event, a reader had nothing to read: the first events after a quiet time do not make the service unready.
 */
async function standingStill(
  all: readonly CheckpointStatus[],
  { head, staleAfter }: { readonly head: Position; readonly staleAfter: number },
  options: LagOptions,
): Promise<ReadonlySet<string>> {
  const unmoved = all.filter(
    ({ position, updated_at }) => position < head && options.now() - updated_at.getTime() > staleAfter,
  );
  const isOld = new Map(
    await Promise.all(
      [...new Set(unmoved.map(({ position }) => position))].map(async (position) => {
        const age = await lagAt({ name: 'first event' }, { position, head }, options);
        return [position, age === undefined || age > staleAfter] as const;
      }),
    ),
  );
  return new Set(unmoved.filter(({ position }) => isOld.get(position)).map(({ name }) => name));
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
