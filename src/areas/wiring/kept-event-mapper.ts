/**
 * Maps kept events when a table learns their code: after a provider changed its status mapping or its carrier, and with
 * the first events after a start, because a release may contain new tables. A kept event is mapped once: the id of `TrackingEventMapped` is
 * derived from the event.
 */
import { mapStatus } from '../../api/areas/trackings/mapping.js';
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import type { Engines } from '../../engines/open.js';
import { unseal } from '../../events/core/codec.js';
import type { Position } from '../../events/core/log.js';
import { derivedId } from '../../events/otep/identity.js';
import { PROVEN } from '../../events/otep/check/event.js';
import { rawStatusOf } from '../../events/otep/check/status.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { CarrierCodesSet, PROVIDER_PREFIX, StatusMappingSet } from '../../events/providers/events.js';
import {
  TRACKING_PREFIX,
  TrackingEventKept,
  trackingStream,
  type RecordedScan,
} from '../../events/trackings/events.js';
import { startFollower } from '../../projections/core/follower.js';
import type { ProviderQueries } from '../../projections/providers/queries.js';
import type { KeptEventQueries, KeptEventRow } from '../../projections/trackings/kept-events.js';

export const KEPT_EVENT_MAPPER = {
  name: 'kept_event_mapper',
  version: 1,
  prefixes: [PROVIDER_PREFIX, TRACKING_PREFIX],
} as const;

const BATCH_SIZE = 200;
/** Maximum wait, in milliseconds, until the read models contain the events of a batch. */
const WAIT_MS = 10_000;

export interface KeptEventMapperOptions extends Parts<'progress' | 'logger'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'keyRing' | 'holder'>;
  readonly commands: Pick<Commands, 'trackings'>;
  readonly providers: Pick<ProviderQueries, 'byId' | 'mapping'>;
  readonly kept: KeptEventQueries;
}

/** Starts the mapper. Returns a function that stops it. */
export function startKeptEventMapper({
  engines: { log, projectionPool: pool, keyRing, holder: owner },
  commands,
  providers,
  kept,
  progress,
  logger,
}: KeptEventMapperOptions): () => Promise<void> {
  let isFirst = true;
  const follower = startFollower({
    reader: KEPT_EVENT_MAPPER,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'kept events were not mapped, trying again'),
    async take({ events, position }) {
      const changed = new Set<string>();
      for (const event of events) {
        if (event.type === StatusMappingSet.type || event.type === CarrierCodesSet.type)
          changed.add(event.stream.slice(PROVIDER_PREFIX.length));
        // The mapping may have changed between the push and the record of the event.
        if (event.type === TrackingEventKept.type) changed.add(event.data['provider'] as string);
      }
      if (changed.size === 0 && !isFirst) return;
      await awaitReadModels(position);
      for (const provider of isFirst ? new Set([...changed, ...(await kept.providers())]) : changed)
        await mapEventsOf(provider);
      isFirst = false;
    },
  });

  async function awaitReadModels(position: Position): Promise<void> {
    for (const name of ['providers', 'kept_events'] as const)
      if (!(await progress.waitFor(name, position, WAIT_MS)))
        throw new Error(`The read model ${name} has not reached position ${position} in time.`);
  }

  async function mapEventsOf(provider: string): Promise<void> {
    const head = await providers.byId(provider);
    if (!head) return;
    const settings = { mapping: await providers.mapping(head), carrierCodes: head.carrier_codes };
    for (let after: string | undefined; ;) {
      const rows = await kept.unmapped(provider, after, BATCH_SIZE);
      if (rows.length === 0) return;
      const keys = await keyRing.existing([...new Set(rows.map(({ tracking }) => tracking))]);
      for (const row of rows) {
        const scan = unseal(row.data, row.event, keys) as unknown as RecordedScan;
        const mapped = mapStatus(settings, rawStatusOf(scan as unknown as TimelineEvent));
        if (mapped) await record(row, withStatus(scan, mapped));
      }
      after = rows.at(-1)!.id;
    }
  }

  const record = ({ id, tracking, provider }: KeptEventRow, scan: RecordedScan) =>
    commands.trackings(
      trackingStream(tracking),
      // The provider was allowed to write when the event was kept.
      { kind: 'push', id: tracking, provider, subject: {}, pushed: [{ scan }], admitted: true },
      {
        correlationId: derivedId('map kept event', id),
        actor: { kind: 'system', id: 'kept_event_mapper' },
        channel: 'system',
      },
    );

  return () => follower.stop();
}

function withStatus(
  { proof, ...scan }: RecordedScan,
  { status_code, incident_reason }: NonNullable<ReturnType<typeof mapStatus>>,
): RecordedScan {
  return {
    ...scan,
    status_code,
    ...(scan.incident_reason === undefined &&
      incident_reason !== undefined && { incident_reason: { code: incident_reason } }),
    ...(proof && PROVEN.includes(status_code) && { proof }),
  };
}
