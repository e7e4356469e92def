/**
 * Bodies of test webhooks. They are created from example events by the same code as real ones, so both have the same
 * form.
 */
import type { StoredEvent } from '../events/core/log.js';
import { derivedId } from '../events/otep/identity.js';
import type { WebhookKind } from '../events/webhooks/events.js';
import type { Body } from './bodies.js';
import type { Example } from './kind.js';
import { KINDS } from './kinds.js';

/** `at`: time of the test, so that a replay gives the same body. */
export function exampleBody(kind: WebhookKind, at: Date): Body {
  const { stream, first, trigger = first } = KINDS[kind].example;
  const event = ([type, data]: Example['first'], revision: number): StoredEvent => ({
    stream,
    revision,
    position: '',
    id: derivedId('example', kind, revision),
    type,
    version: 1,
    data,
    metadata: { recorded_at: at.toISOString(), actor: { kind: 'user', id: '0' } },
  });
  const [one, other] = [event(first, 0), event(trigger, trigger === first ? 0 : 1)];
  const data = KINDS[kind].data({ event: other, first: one, data: other.data, firstData: one.data, keys: new Map() });
  return {
    bytes: Buffer.from(JSON.stringify({ type: KINDS[kind].type, timestamp: at.toISOString(), test: true, data })),
    personal: false,
  };
}
