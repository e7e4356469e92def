/** Queries on the planning settings of businesses. */
import type { Kysely } from 'kysely';
import { DEFAULT_PLANNING, type PlanningSettings } from '../../events/planning/events.js';
import type { Database } from '../core/database.js';

export interface PlanningSettingsQueries {
  /** The settings of the business. If none are set: the defaults of the installation, or else of the service. */
  settingsOf(business: number): Promise<PlanningSettings>;
}

export const createPlanningSettingsQueries = (
  database: Kysely<Database>,
  installed: Pick<PlanningSettings, 'road_factor_percent'>,
): PlanningSettingsQueries => ({
  async settingsOf(business) {
    const row = await database
      .selectFrom('planning.planning')
      .select('settings')
      .where('id', '=', business)
      .executeTakeFirst();
    return row?.settings ?? { ...DEFAULT_PLANNING, ...installed };
  },
});
