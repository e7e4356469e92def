/**
 * Captures that the API does not produce: as earlier versions of the service stored them, with the whole document as one
 * encrypted text, and interrupted ones.
 */
import { randomUUID } from 'node:crypto';
import { readCapture } from '../../../src/api/areas/captures/read.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createCapture, type Capture } from '../../../src/commands/captures/capture.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import type { Ingest } from '../../../src/commands/trackings/ingest.js';
import { captureStream } from '../../../src/events/captures/events.js';
import { toParts } from '../../../src/events/captures/text.js';
import { createCaptureQueries } from '../../../src/projections/captures/queries.js';
import { createDatabase } from '../../../src/projections/core/database.js';
import { WAIT_LIMIT_MS } from '../eventually.js';
import type { TestService } from '../worlds/service.js';

/** Captures a document of the demo provider, and waits until queries return its events. */
export async function captureAsBefore(t: TestService, document: unknown): Promise<void> {
  const id = randomUUID();
  const {
    digest,
    parts: [text],
  } = toParts({ document, targets: [] });
  const data = {
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
  await t.service.commands.captures(captureStream(id), { do: 'capture', id, data, events: [] }, causeOf(t, id));
  await resumeCapture(t, id);
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
