/**
 * Creates the parts of effects, credentials and the inbox. Every process has the parts that operations need; collector,
 * runner and inbox worker run only where projections run.
 */
import { createCircuits, type Account } from '../../engines/outside/circuits.js';
import { createEffectMetrics } from '../../effects/metrics.js';
import { createCredentials } from '../../engines/postgres/credentials.js';
import { createEffectList } from '../../engines/postgres/effect-list.js';
import { createEffectStore } from '../../engines/postgres/effects.js';
import { createInbox } from '../../engines/postgres/inbox.js';
import { vaultOf } from '../../engines/vault.js';
import { startCollector } from '../../effects/collector.js';
import { createDigest } from '../../effects/digest.js';
import { startInboxWorker } from '../../effects/inbox-worker.js';
import { createInline } from '../../effects/inline.js';
import { effectKindsOf } from '../../effects/kinds.js';
import { createPerformer } from '../../effects/performer.js';
import { effectsReader } from '../../effects/reader.js';
import { startRunner } from '../../effects/runner.js';
import { lookAgain } from '../../effects/settle.js';
import { expectAvailable } from '../../api/areas/effects/availability.js';
import type { EffectProgress } from '../../events/effects/progress.js';
import type { AreaContext } from '../area-context.js';
import type { Stop } from '../area.js';

/** Days for which effects that ended are listed. */
const ENDED_DAYS = 30;

export type Effects = ReturnType<typeof createEffects>;

export function createEffects(context: AreaContext) {
  const { engines, metrics, logger, now, progress, streams } = context;
  const { pool, projectionPool, log, holder, limits, secretFor } = engines;
  const worker = holder.id;
  const declared = streams.flatMap(({ effects = [] }) => effects);
  const kinds = once(() => effectKindsOf(context.effectKinds(), declared));
  const adapters = once(() => new Map(context.inboundAdapters().map((one) => [one.adapter, one])));
  const store = createEffectStore(pool);
  const list = createEffectList(pool);
  const credentials = createCredentials(pool, vaultOf(secretFor('credentials')));
  const inbox = createInbox(pool, vaultOf(secretFor('inbox')));
  const circuits = createCircuits({ openMs: limits.effectCircuitMs, now });
  const digestOf = createDigest(secretFor('effects'));
  const performer = createPerformer({ kinds, store, circuits, limits, worker, now, digestOf });
  const onError = (error: unknown, effectId?: string) =>
    logger.error({ err: error, ...(effectId !== undefined && { effectId }) }, 'an effect is not continued yet');
  const perform = createInline({ store, performer, limits, worker, now, onError });
  // Wakes the worker of this process, if it has one, so that it does not wait for its next poll.
  const inboxWorker = { wake: () => {} };
  createEffectMetrics({ registry: metrics.registry, list });

  /** Starts the background work of the kinds and adapters that areas have. */
  function start(): readonly Stop[] {
    const reader = effectsReader(streams);
    const stops: Stop[] = [];
    if (reader) {
      const runner = startRunner({ store, performer, limits, worker, now, onError });
      const collector = startCollector({
        reader,
        log,
        pool: projectionPool,
        owner: holder,
        progress,
        kinds: [...kinds().values()].map(({ steps }) => steps),
        store,
        graceMs: limits.effectGraceMs,
        onError: (error) => logger.error({ err: error }, 'effects could not be collected, trying again'),
      });
      stops.push(
        () => collector.stop(),
        () => runner.stop(),
      );
    }
    if (adapters().size > 0) {
      const started = startInboxWorker({
        inbox,
        adapters,
        limits,
        worker,
        now,
        onError: (error, messageId) => logger.error({ err: error, messageId }, 'a message could not be processed'),
      });
      inboxWorker.wake = started.wake;
      stops.push(() => started.stop());
    }
    return stops;
  }

  return {
    list,
    credentials,
    inbox,
    adapters,
    performer,
    /** Keyed digest of a request, for the command that begins its effect. */
    digestOf,
    /** For calls that are no effects, such as rates of carriers. */
    circuits: { waitOf: circuits.waitOf, note: circuits.note },
    /** Throws 503 with `Retry-After` while the circuit of the account is open. Call it before an effect begins. */
    expectAvailable: (account: Account, code?: Parameters<typeof expectAvailable>[2]) =>
      expectAvailable(circuits, account, code),
    /** Performs an effect that a request began, for at most 12 s. */
    perform,
    lookAgain: (effect: EffectProgress, stream: string) => lookAgain(performer, circuits, effect, stream),
    /** Notes the step of an effect that staff settled. */
    note: ({ effectId, step }: EffectProgress) => store.note([{ effectId, step }]),
    messageAdded: () => inboxWorker.wake(),
    start,
    sweep: () => Promise.all([store.sweep(ENDED_DAYS), credentials.sweep(), inbox.sweep()]),
  };
}

/** Areas are asked for their kinds and adapters on first use, when the services of all areas exist. */
function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}
