import { attachEngines } from '../../engines/open.js';
import { openLog } from '../../engines/open-log.js';
import type { EventLog } from '../../events/core/log.js';
import { UsageError, type Context } from '../command.js';

/**
 * An address as an option gives it; throws `UsageError` for what names no engine. The value is not repeated, it may
 * hold a password.
 */
export function readAddress(option: string, text: string): string {
  if (!/^(postgres(ql)?|(esdb|kurrentdb)(\+discover)?):\/\/\S+$/.test(text))
    throw new UsageError(`${option} takes a postgres:// or an esdb:// address.`);
  return text;
}

/** The log at an address, else that of the configuration; closed when `use` has ended. */
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
