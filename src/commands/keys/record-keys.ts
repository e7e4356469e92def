/** Records in the log which keys are in use. */
import { KEY_STREAMS, type KeyName } from '../../events/keys/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Cause, Handle } from '../core/handle.js';
import type { KeyCommand } from './decider.js';

const CAUSE: Cause = { correlationId: derivedId('keys'), actor: { kind: 'system', id: 'keys' }, channel: 'system' };

/** Appends nothing if the log contains the current fingerprints. */
export async function recordKeys(
  handle: Handle<KeyCommand, undefined>,
  fingerprints: readonly (readonly [KeyName, Buffer])[],
): Promise<void> {
  for (const [name, fingerprint] of fingerprints)
    await handle(KEY_STREAMS[name], { fingerprint: fingerprint.toString('hex') }, CAUSE);
}
