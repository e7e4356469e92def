/** All that can be an item of the board. A new source is one line here, and its title in the area's messages. */
import { contractorIdle, endedBadly, failedStop, held, thirdPartySilent, unplanned, windowPassed } from './orders.js';
import { driverSilent, noDriver, notFinished } from './routes.js';

export const SOURCES = [
  failedStop,
  windowPassed,
  noDriver,
  driverSilent,
  unplanned,
  contractorIdle,
  thirdPartySilent,
  notFinished,
  held,
  endedBadly,
] as const;

export const KINDS: readonly string[] = SOURCES.map(({ kind }) => kind);
