/** All kinds of items on the dispatch board. A new source adds one line here, and its title in the area's messages. */
import type { ReadModelName } from '../../core/projection.js';
import { contractorIdle, endedBadly, failedStop, held, thirdPartySilent, unplanned, windowPassed } from './orders.js';
import { jobFailed } from './jobs.js';
import { documentExpired } from './driver-documents.js';
import { planFailed, planRefused } from './plans.js';
import { driverSilent, noDriver, notFinished, notStarted, unclaimed } from './routes.js';
import { unsettledScan } from './unsettled-scans.js';
import { thirdPartyLate, thirdPartyUnaccepted } from './third-parties.js';
import { scanConflict, transferMissing } from './warehouses.js';
import { offerExhausted, misReceived } from './whereabouts.js';

export const SOURCES = [
  failedStop,
  windowPassed,
  noDriver,
  driverSilent,
  notStarted,
  documentExpired,
  offerExhausted,
  thirdPartyUnaccepted,
  thirdPartyLate,
  transferMissing,
  unsettledScan,
  unplanned,
  contractorIdle,
  thirdPartySilent,
  notFinished,
  unclaimed,
  misReceived,
  scanConflict,
  planFailed,
  planRefused,
  jobFailed,
  held,
  endedBadly,
] as const;

export const KINDS: readonly string[] = SOURCES.map(({ kind }) => kind);

/** The read models that boards are calculated from. */
export const BOARD_READS = [
  'orders',
  'routes',
  'board',
  'plans',
  'job_ends',
  'assignments',
  'instants',
  'third_party_offers',
  'packages_at',
  'scan_conflicts',
  'driver_documents',
  'dispatch_decisions',
  'planning',
  'timeline',
  'fleets',
] as const satisfies readonly ReadModelName[];
