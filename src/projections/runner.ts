/** Keeps the read models up to date: each projection under a lease, batch by batch, rows and checkpoint in one transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { plainly, type Around } from '../events/around.js';
import type { EventTypes } from '../events/codec.js';
import type { Batch, EventLog, Position } from '../events/log.js';
import { acquire, advance, LEASE_SECONDS, LeaseLost, quarantine, quarantinedStreams, release, renew } from './checkpoints.js';
import type { Progress } from './progress.js';
import { foldSafely } from './fold.js';
import type { Projection, Quarantined } from './projection.js';
import { inTransaction } from './transaction.js';

const RETRY_MS = 500;
const LULL_MS = 200;
const LONGEST_WAIT_MS = 2_000;

/** When a projection that somebody waits for last had something to fold, in milliseconds since 1970. */
interface Traffic {
  at: number;
}
/** How often a projection looks while others' events pass it by: its position is stored each time. */
const IDLE_MS = 100;

export interface RunnerOptions {
  readonly log: EventLog;
  readonly pool: Pool;
  readonly types: EventTypes;
  readonly projections: readonly Projection[];
  /** UUID of this process. */
  readonly owner: string;
  readonly progress: Progress;
  /** Most events in one transaction. */
  readonly batch?: number;
  readonly around?: Around;
  readonly onError: (projection: string, error: unknown) => void;
  readonly onQuarantine: (projection: string, streams: readonly Quarantined[]) => void;
}

export interface Runner {
  /** Finishes the batches under way and gives the leases back. */
  stop(): Promise<void>;
}

export function startRunner(options: RunnerOptions): Runner {
  const stop = new AbortController();
  const traffic: Traffic = { at: 0 };
  const running = options.projections.map((projection) => keepRunning(projection, options, traffic, stop.signal));
  return {
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

async function keepRunning(projection: Projection, options: RunnerOptions, traffic: Traffic, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const position = await acquire(options.pool, projection, options.owner);
      if (position !== undefined) await runUnderLease(projection, position, options, traffic, signal);
    } catch (error) {
      if (!(error instanceof LeaseLost)) options.onError(projection.name, error);
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  await release(options.pool, projection.name, options.owner).catch(() => undefined);
}

async function runUnderLease(projection: Projection, from: Position, options: RunnerOptions, traffic: Traffic, stopping: AbortSignal): Promise<void> {
  const { log, pool, owner, progress, batch: size = 1_000, around = plainly } = options;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const heartbeat = setInterval(() => void renew(pool, projection.name, owner).then((held) => held || lost.abort(), () => lost.abort()), (LEASE_SECONDS * 1_000) / 3);
  let stored = from;
  try {
    let atRest = true;
    for await (const batch of log.subscribe(from, { prefixes: projection.prefixes, batch: size, signal })) {
      const moved = batch.position > stored;
      if (!projection.background && batch.events.length > 0) traffic.at = Date.now();
      if (projection.background && atRest && batch.events.length > 0) await lull(traffic, signal);
      atRest = batch.caughtUp;
      if (moved) await around(`project ${projection.name}`, batch.events, () => commitBatch(projection, batch, stored, options));
      stored = batch.position;
      progress.reached(projection.name, batch);
      if (moved && batch.caughtUp && batch.events.length === 0) await sleep(IDLE_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(heartbeat);
  }
}

/** A background projection begins when the others have had nothing to do for a moment, or after the longest wait; once begun it goes on to the end. */
async function lull(traffic: Traffic, signal: AbortSignal): Promise<void> {
  const longest = Date.now() + LONGEST_WAIT_MS;
  while (!signal.aborted && Date.now() < longest && Date.now() - traffic.at < LULL_MS) await sleep(LULL_MS / 4, undefined, { signal }).catch(() => undefined);
}

async function commitBatch(projection: Projection, batch: Batch, from: Position, { pool, types, owner, onQuarantine }: RunnerOptions): Promise<void> {
  const target = { projection, schema: projection.name, types };
  const bad = await foldSafely((fold) =>
    inTransaction(pool, async (db) => {
      await advance(db, projection, owner, from, batch.position);
      // Asked behind the checkpoint's lock: a rebuild may just have let a stream in again.
      const leftOut = await quarantinedStreams(db, projection.name);
      const bad = await fold(db, target, leftOut.size === 0 ? batch.events : batch.events.filter(({ stream }) => !leftOut.has(stream)));
      if (bad.length > 0) await quarantine(db, projection.name, bad);
      return bad;
    }));
  if (bad.length > 0) onQuarantine(projection.name, bad);
}
