/**
 * A stored event as the audit API returns it. Personal data stays encrypted unless the reader may decrypt it. Token ids
 * are not secret.
 */
import { z } from 'zod';
import { sealedOf, unseal } from '../../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../../events/core/log.js';
import type { Parts } from '../../core/parts.js';

/** `sealed`: personal data exists but is not shown. `erased`: personal data existed, but its key was deleted. */
const PERSONAL_STATES = ['none', 'sealed', 'opened', 'erased'] as const;

export const eventResponseSchema = z
  .object({
    event_position: z
      .string()
      .describe('Position in the log. Positions that are compared as strings have the order of the log.'),
    stream: z.string(),
    revision: z.int().describe('Revision in the stream, starting at 0.'),
    id: z.uuid(),
    type: z.string(),
    version: z.int(),
    area: z.string(),
    recorded_at: z.string(),
    actor: z
      .object({ kind: z.string(), id: z.string(), role: z.string().nullable(), token_id: z.string().nullable() })
      .meta({ id: 'AuditActor' }),
    channel: z.string().describe('Interface that caused the event, such as `rest` or `mcp`.'),
    correlation_id: z.string().describe('Id of the original request.'),
    causation_id: z
      .string()
      .nullable()
      .describe('Id of the event that caused this event. Null if the request caused it directly.'),
    personal: z.enum(PERSONAL_STATES),
    data: z.record(z.string(), z.unknown()).describe('Data as stored, in the format of the given version of the type.'),
  })
  .meta({ id: 'AuditEvent' });
export type EventResponse = z.infer<typeof eventResponseSchema>;

/** Reads the keys of all events with one query. `decrypt`: whether to decrypt personal data. */
export async function toEventResponses(
  events: readonly StoredEvent[],
  decrypt: boolean,
  { keyRing, areaOf }: Parts<'keyRing'> & { areaOf: (stream: string) => string },
): Promise<EventResponse[]> {
  const subjects = [...new Set(events.flatMap(({ data }) => sealedOf(data)?.subject ?? []))];
  const keys: ReadonlyMap<string, Buffer> = subjects.length > 0 ? await keyRing.existing(subjects) : new Map();
  return events.map((event) => {
    const { position, stream, revision, id, type, version, metadata } = event;
    const {
      actor: actorFields = {},
      $correlationId,
      $causationId,
      recorded_at,
    } = metadata as JsonObject & { readonly actor?: Readonly<Record<string, string>> };
    const {
      kind = 'system',
      id: actorId = '',
      role = null,
      token = null,
      channel = 'system',
    } = actorFields as Readonly<Record<string, string>>;
    return {
      event_position: position,
      stream,
      revision,
      id,
      type,
      version,
      area: areaOf(stream),
      recorded_at: String(recorded_at ?? ''),
      actor: { kind, id: actorId, role, token_id: token },
      channel,
      correlation_id: String($correlationId ?? ''),
      causation_id: $causationId === undefined ? null : String($causationId),
      ...dataOf(event, keys, decrypt),
    };
  });
}

function dataOf(
  { id, data }: StoredEvent,
  keys: ReadonlyMap<string, Buffer>,
  decrypt: boolean,
): Pick<EventResponse, 'personal' | 'data'> {
  const sealed = sealedOf(data);
  if (!sealed) return { personal: 'none', data: { ...data } };
  const hasKey = keys.has(sealed.subject);
  const { $sealed: _box, ...rest } = data;
  return {
    personal: hasKey ? (decrypt ? 'opened' : 'sealed') : 'erased',
    data: { ...(hasKey && decrypt ? unseal(data, id, keys) : rest) },
  };
}
