/** Drivers whom a planner may use: active drivers of the business; for a contractor those of its fleets. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { Planner } from './planning-data.js';

/** Returns those of `among` (undefined: of all) who may drive now. */
export type EligibleDrivers = (among: readonly number[] | undefined, planner: Planner) => Promise<ReadonlySet<number>>;

/** Maximum number of fleets per contractor that are read. */
const MAX_FLEETS = 1_000;

export const createEligibleDrivers =
  ({
    accounts,
    fleets,
  }: {
    readonly accounts: Pick<AccountQueries, 'activeDrivers'>;
    readonly fleets: FleetQueries;
  }): EligibleDrivers =>
  async (among, { business, brokerId }) => {
    if (brokerId === undefined) return new Set(await accounts.activeDrivers(business, among));
    const own = await fleets.list({ offset: 0, limit: MAX_FLEETS }, { business, userId: brokerId });
    const drivers = new Set(own.rows.flatMap((fleet) => fleet.drivers));
    const candidates = among ? among.filter((id) => drivers.has(id)) : [...drivers];
    return new Set(await accounts.activeDrivers(business, candidates));
  };
