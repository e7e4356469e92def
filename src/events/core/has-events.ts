/** Whether a stream of the log exists. Reads one event. */
import type { EventLog } from './log.js';

export async function hasEvents(log: Pick<EventLog, 'read'>, stream: string): Promise<boolean> {
  for await (const _event of log.read(stream)) return true;
  return false;
}
