/**
 * Captures that the API does not produce: as earlier versions of the service stored them, with the whole document as one
 * encrypted text, and interrupted ones.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readCapture } from '../../../src/api/areas/captures/read.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCapture, type Capture } from '../../../src/commands/captures/capture.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import { metadataOf } from '../../../src/commands/core/metadata.js';
import type { Ingest } from '../../../src/commands/trackings/ingest.js';
import {
  capturedEventId,
  captureStream,
  EpcisCaptured,
  EpcisEventCaptured,
} from '../../../src/events/captures/events.js';
import { capturedEventName } from '../../../src/events/captures/names.js';
import { toParts } from '../../../src/events/captures/text.js';
import { encode, type Fact } from '../../../src/events/core/codec.js';
import { eventType, personal } from '../../../src/events/core/event-types.js';
import { createCaptureQueries } from '../../../src/projections/captures/queries.js';
import { createDatabase } from '../../../src/projections/core/database.js';
import { DEFAULT_PREFIXES } from '../../../src/serializers/epcis/context.js';
import { eventHash } from '../../../src/serializers/epcis/hash.js';
import type { JsonRecord } from '../../../src/serializers/epcis/records.js';
import { WAIT_LIMIT_MS } from '../eventually.js';
import type { TestService } from '../worlds/service.js';

/**
 * Captures a document of the demo provider as version 2 of `EpcisCaptured` stored it, without names, and waits until
 * queries return its events.
 */
export async function captureAsBefore(t: TestService, document: unknown): Promise<void> {
  const id = randomUUID();
  const { names: _names, ...data } = capturedData(t, { document, targets: [] });
  await append(t, id, [{ id: capturedEventId(id), type: { ...EpcisCaptured, version: 2 } as Type, data, subject: id }]);
  await resumeCapture(t, id);
}

/** `EpcisEventCaptured` in version 1, which had one event. */
const EVENT_ALONE = eventType(
  EpcisEventCaptured.type,
  z.looseObject({ event_id: z.string(), body: personal(z.string()) }),
);

/**
 * Captures an event of the demo provider for one parcel as version 1 of `EpcisEventCaptured` stored it, and waits until
 * queries return it. `tracking`: id of the parcel's tracking.
 */
export async function captureAlone(t: TestService, event: JsonRecord, tracking: string): Promise<void> {
  const id = randomUUID();
  const provider = t.demo.provider.id;
  const captured = capturedData(t, { document: [null], targets: [[{ id: tracking }]] });
  const event_id = event['eventID'] as string;
  const stored = {
    provider,
    index: 0,
    event_id,
    name: capturedEventName(provider, event_id, eventHash(event, DEFAULT_PREFIXES)),
    trackings: [tracking],
    digest: captured.digest,
    body: JSON.stringify({ event }),
  };
  await append(t, id, [
    { id: randomUUID(), type: EVENT_ALONE as Type, data: stored, subject: tracking },
    { id: capturedEventId(id), type: EpcisCaptured as Type, data: captured, subject: id },
  ]);
  await resumeCapture(t, id);
}

type Type = Fact['type'];

function capturedData(t: TestService, content: { readonly document: unknown; readonly targets: readonly unknown[] }) {
  const {
    digest,
    parts: [text],
  } = toParts(content);
  return {
    provider: t.demo.provider.id,
    kind: 'carrier',
    may_open: true,
    behaviour: 'proceed' as const,
    captured_at: '2026-10-01T00:00:00.000Z',
    events: 1,
    unattached: [],
    names: [],
    trackings: [],
    parts: 1,
    digest,
    text,
  };
}

/** Appends events to the log without a command, because no command produces events of earlier versions. */
async function append(t: TestService, id: string, facts: readonly Fact[]): Promise<void> {
  const { log, keyRing } = t.service.engines;
  const metadata = metadataOf(causeOf(t, id), Date.UTC(2026, 9, 1), undefined);
  const events = await encode(
    facts.map((fact) => ({ fact, metadata })),
    keyRing,
  );
  const [appended] = await log.append([{ stream: captureStream(id), events, expected: 'no-stream' }]);
  if (appended!.outcome !== 'appended') throw new Error('The stream of the capture exists.');
}

/** Captures a document of the demo provider, and fails before its trackings are written. Returns the capture's id. */
export async function captureAndFail(t: TestService, document: unknown): Promise<string> {
  const id = randomUUID();
  const { dryRun } = t.service.commands.ingest;
  const failing = Object.assign(() => Promise.reject(new Error('fails before the trackings follow')), { dryRun });
  const pusher = { id: t.demo.provider.id, kind: 'carrier', mayOpen: true } as const;
  const request = { id, document, behaviour: 'proceed', time: Date.UTC(2026, 9, 1) } as const;
  await captureWith(t, failing).submit(pusher, request, causeOf(t, id));
  return id;
}

/** Finishes a capture, and waits until queries return its events. */
export async function resumeCapture(t: TestService, id: string): Promise<void> {
  const { commands, engines, progress } = t.service;
  await captureWith(t, commands.ingest).resume(id);
  const head = await engines.log.head();
  await Promise.all(
    (['captures', 'timeline', 'epcis_events'] as const).map((name) => progress.waitFor(name, head, WAIT_LIMIT_MS)),
  );
}

function captureWith({ service }: TestService, ingest: Ingest): Capture {
  const {
    commands,
    engines: { log, keyRing, pool },
    progress,
  } = service;
  return createCapture({
    handle: commands.captures,
    ingest,
    log,
    types: EVENT_TYPES,
    keyRing,
    directory: createCaptureQueries({ database: createDatabase(pool), keyRing, log, progress }),
    read: readCapture,
  });
}

const causeOf = ({ demo }: TestService, correlationId: string): Cause => ({
  correlationId,
  actor: { kind: 'provider', id: demo.provider.id },
  channel: 'rest',
});
