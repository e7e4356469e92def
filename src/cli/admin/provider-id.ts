import { randomUUID } from 'node:crypto';
import type { Cause } from '../../commands/core/handle.js';
import type { EventLog } from '../../events/core/log.js';
import { providerIdSchema, providerStream } from '../../events/providers/events.js';
import { UsageError } from '../command.js';

/** The cause of an operator's action at the command line. */
export const operatorCause = (): Cause => ({
  correlationId: randomUUID(),
  actor: { kind: 'system', id: 'admin' },
  channel: 'system',
});

/** Returns whether the log contains the provider. Throws `UsageError` for an invalid id. */
export async function isRegistered(log: EventLog, id: string): Promise<boolean> {
  if (!providerIdSchema.safeParse(id).success)
    throw new UsageError('A provider id consists of at most 64 lower-case letters, digits and hyphens.');
  for await (const _event of log.read(providerStream(id))) return true;
  return false;
}

export async function expectProvider(log: EventLog, id: string): Promise<void> {
  if (!(await isRegistered(log, id))) throw new Error(`The provider ${id} does not exist.`);
}
