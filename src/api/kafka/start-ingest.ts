/** Finds the providers' topics and processes their pushes for as long as the process runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker, Delivery } from '../../events/core/broker.js';
import type { ProviderQueries } from '../../projections/providers/queries.js';
import { ingestDelivery, type IngestDeliveryOptions } from './ingest.js';
import { ingestTopics, providerOf, topicsToCreate } from './topics.js';

/** Number of partitions that are processed at a time. */
const CONCURRENCY = 4;
const RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

export interface StartIngestOptions extends Omit<IngestDeliveryOptions, 'send' | 'callerOf'> {
  readonly broker: Broker;
  readonly providers: ProviderQueries;
  /** Ids, or `*` for every provider that has a topic. */
  readonly ingest: '*' | readonly string[];
  /** Interval of checks for new providers and topics, in milliseconds. */
  readonly checkIntervalMs?: number;
  readonly onDelivered: (provider: string, delivery: Delivery) => void;
  /** Called if the broker is unavailable or does not accept the responses. */
  readonly onError: (error: unknown) => void;
}

/** Returns a function that stops the ingest after the running work is complete. */
export function startIngest(options: StartIngestOptions): () => Promise<void> {
  const { broker, prefix, providers, checkIntervalMs = 5_000 } = options;
  const stopping = new AbortController();
  const running = keepRunning();

  async function keepRunning(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      let pause = checkIntervalMs;
      try {
        const topics = await findTopics();
        if (topics.length > 0) {
          await receiveUntilChange(topics);
          pause = 0;
        }
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        options.onError(error);
        pause = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures++) * (0.75 + Math.random() / 2);
      }
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Topics of registered providers. Pushes for an unregistered provider wait in their topic. */
  async function findTopics(): Promise<string[]> {
    const present = new Set(await broker.topics());
    const named =
      options.ingest === '*' ? [...present].flatMap((topic) => providerOf(prefix, topic) ?? []) : options.ingest;
    const registered = (
      await Promise.all(named.map(async (id) => ((await providers.byId(id)) ? id : undefined)))
    ).filter((id) => id !== undefined);
    const missing = registered.flatMap((id) => topicsToCreate(prefix, id)).filter(({ name }) => !present.has(name));
    if (missing.length > 0) await broker.ensureTopics(missing);
    return registered.map((id) => ingestTopics(prefix, id).pushes).sort();
  }

  async function receiveUntilChange(topics: readonly string[]): Promise<void> {
    const changed = new AbortController();
    const signal = AbortSignal.any([stopping.signal, changed.signal]);
    // A failed check is not a change; the receiver itself reports an unavailable broker.
    const checkTimer = setInterval(
      () =>
        void findTopics().then(
          (now) => now.join() === topics.join() || changed.abort(),
          () => undefined,
        ),
      checkIntervalMs,
    );
    try {
      await broker.receive({
        group: `${prefix}.ingest`,
        topics,
        concurrency: CONCURRENCY,
        signal,
        handle,
        onError: options.onError,
      });
    } finally {
      clearInterval(checkTimer);
    }
  }

  async function handle(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const provider = providerOf(prefix, delivery.topic)!;
    await ingestDelivery(delivery, provider, signal, {
      ...options,
      callerOf,
      send: (messages) => broker.send(messages),
    });
    options.onDelivered(provider, delivery);
  }

  /** Read for each delivery: the permissions and the status mapping of the provider may have changed. */
  async function callerOf(id: string) {
    const provider = await providers.byId(id);
    if (!provider) throw new Error(`The provider ${id} does not exist.`);
    return {
      role: 'provider',
      id,
      kind: provider.kind,
      mayOpen: provider.may_open,
      keyId: 'kafka',
      carrierCodes: provider.carrier_codes,
      mapping: await providers.mapping(provider),
    } as const;
  }

  return async () => {
    stopping.abort();
    await running;
  };
}
