/** Drivers whom a planner may use: active drivers of the business; for a contractor those of its fleets. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { FleetQueries } from '../../../projections/fleets/queries.js';
import type { PlannerOf } from './facts.js';

/** Returns those of `among` (undefined: of all) who may drive now. */
export type MayDrive = (among: readonly number[] | undefined, planner: PlannerOf) => Promise<ReadonlySet<number>>;

/** Maximum number of fleets per contractor that are read. */
const FLEETS = 1_000;

export const createMayDrive =
  ({
    accounts,
    fleets,
  }: {
    readonly accounts: Pick<AccountQueries, 'activeDrivers'>;
    readonly fleets: FleetQueries;
  }): MayDrive =>
  async (among, { business, brokerId }) => {
    if (brokerId === undefined) return new Set(await accounts.activeDrivers(business, among));
    const own = await fleets.list({ offset: 0, limit: FLEETS }, { business, userId: brokerId });
    const drivers = new Set(own.rows.flatMap((fleet) => fleet.drivers));
    const asked = among ? among.filter((id) => drivers.has(id)) : [...drivers];
    return new Set(await accounts.activeDrivers(business, asked));
  };
