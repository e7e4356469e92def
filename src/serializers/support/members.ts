/**
 * Event members for which a foreign format has no term. They are written as flat text members that are named by their
 * path in the native document (`source.type`, `raw.code`). JSON-LD contains them as terms of the OTEP namespace, OTLP
 * as attributes.
 */
import type { TimelineEvent } from '../../events/otep/model.js';
import { isUtc } from './utc.js';

/** Namespace of OTEP terms in linked data. It is a fixed URN, so it is the same in every installation. */
export const OTEP_TERMS = 'urn:otep:terms:';

type Read = (event: TimelineEvent) => string | undefined;

const MEMBERS = [
  ['event_id', (event) => event.event_id],
  ['status_id', (event) => event.status_id],
  ['phase', (event) => event.phase],
  ['anomaly', (event) => event.anomaly],
  ['occurred_at', (event) => (isUtc(event.occurred_at) ? undefined : event.occurred_at)],
  ['recorded_at', (event) => event.recorded_at],
  ['source.type', (event) => event.source?.type],
  ['source.name', (event) => event.source?.name],
  ['source.provider', (event) => event.source?.provider],
  ['source.ref', (event) => event.source?.ref],
  ['source.carrier', (event) => event.source?.carrier],
  ['source.recorded_at', (event) => event.source?.recorded_at],
  ['incident_reason.code', (event) => event.incident_reason?.code],
  ['incident_reason.text', (event) => event.incident_reason?.text],
  ['description', (event) => event.description],
  ['raw.code', (event) => event.raw?.code],
  ['raw.text', (event) => event.raw?.text],
  ['proof.kind', (event) => event.proof?.kind],
  ['proof.url', (event) => event.proof?.url],
  ['extensions', extensionsOf],
] as const satisfies readonly (readonly [string, Read])[];

export type Member = (typeof MEMBERS)[number][0];

/**
 * Calls `put` with the prefixed name and value of each member that the event has. Members in `except` are skipped,
 * because the format has its own term for them.
 */
export function nativeMembers(
  prefix: string,
  except: readonly Member[] = [],
): (event: TimelineEvent, put: (name: string, value: string) => void) => void {
  const rows = MEMBERS.filter(([member]) => !except.includes(member)).map(
    ([member, read]) => [prefix + member, read] as const,
  );
  return (event, put) => {
    for (const [name, read] of rows) {
      const value = read(event);
      if (value !== undefined) put(name, value);
    }
  };
}

/**
 * Returns the event's `x-` members as one JSON text. Their names and values are arbitrary, but terms and attributes are
 * restricted.
 */
function extensionsOf(event: TimelineEvent): string | undefined {
  let extensions: Record<string, unknown> | undefined;
  for (const key in event) if (key.startsWith('x-')) (extensions ??= {})[key] = event[key as `x-${string}`];
  return extensions && JSON.stringify(extensions);
}
