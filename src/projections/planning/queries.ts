/** Queries on the planning settings of businesses. */
import type { Kysely } from 'kysely';
import { DEFAULT_PLANNING, type PlanningSettings } from '../../events/planning/events.js';
import type { Database } from '../core/database.js';

export interface PlanningSettingsQueries {
  /** The settings of the business. If none are set: the defaults of the installation, or else of the service. */
  settingsOf(business: number): Promise<PlanningSettings>;
  /** The same settings with the revision of their stream; -1: none are set. */
  versioned(business: number): Promise<{ readonly settings: PlanningSettings; readonly version: number }>;
}

export const createPlanningSettingsQueries = (
  database: Kysely<Database>,
  installed: Pick<PlanningSettings, 'road_factor_percent'>,
): PlanningSettingsQueries => {
  async function versioned(business: number) {
    const row = await database
      .selectFrom('planning.planning')
      .select(['settings', 'revision'])
      .where('id', '=', business)
      .executeTakeFirst();
    return { settings: row?.settings ?? { ...DEFAULT_PLANNING, ...installed }, version: row?.revision ?? -1 };
  }
  return { settingsOf: async (business) => (await versioned(business)).settings, versioned };
};
