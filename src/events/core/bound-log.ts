import type { EventLog } from './log.js';

/**
 * A log as a plain object with bound methods: wrappers can then copy it with a spread, which would omit the methods of
 * a class.
 */
export const boundLog = (log: EventLog): EventLog => ({
  append: (appends) => log.append(appends),
  read: (stream, from) => log.read(stream, from),
  pick: (events) => log.pick(events),
  readMany: (streams) => log.readMany(streams),
  subscribe: (from, options) => log.subscribe(from, options),
  head: () => log.head(),
  wakeAwaited: () => log.wakeAwaited(),
  isPosition: (position) => log.isPosition(position),
  close: () => log.close(),
});
