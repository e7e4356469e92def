import { attachEngines } from '../../engines/open.js';
import { openLog } from '../../engines/open-log.js';
import type { EventLog } from '../../events/core/log.js';
import { UsageError, type Context } from '../command.js';

/**
 * Validates an address in an option; throws `UsageError` if it is not the address of an engine. The message does not
 * repeat the value, because it can contain a password.
 */
export function readAddress(option: string, text: string): string {
  if (!/^(postgres(ql)?|(esdb|kurrentdb)(\+discover)?):\/\/\S+$/.test(text))
    throw new UsageError(`${option} requires a postgres:// or esdb:// address.`);
  return text;
}

/** Opens the log at an address, or else that of the configuration, and closes it after `use`. */
export async function withLog<T>(
  address: string | undefined,
  { config }: Context,
  use: (log: EventLog) => Promise<T>,
): Promise<T> {
  const opened =
    address === undefined
      ? await attachEngines({ ...config, mustExist: true })
      : await openLog(readAddress('--from', address));
  try {
    return await use(opened.log);
  } finally {
    await opened.close();
  }
}
