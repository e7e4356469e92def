import type { EventLog } from './log.js';

/** The log as members that know it: a wrapper may copy them, which a spread of a class's object would leave out. */
export const boundLog = (log: EventLog): EventLog => ({
  append: (appends) => log.append(appends),
  read: (stream, from) => log.read(stream, from),
  pick: (events) => log.pick(events),
  readMany: (streams) => log.readMany(streams),
  subscribe: (from, options) => log.subscribe(from, options),
  head: () => log.head(),
  hurry: () => log.hurry(),
  isPosition: (position) => log.isPosition(position),
  close: () => log.close(),
});
