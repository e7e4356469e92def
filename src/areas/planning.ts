/** Planning: the settings of a business that apply if a planning request sets no other values. */
import { PLANNING_EXAMPLES } from '../api/areas/plans/examples.js';
import { planningSettingsOperations } from '../api/areas/plans/settings.js';
import { planning as decider } from '../commands/planning/decider.js';
import { PLANNING_EVENTS, PLANNING_PREFIX } from '../events/planning/events.js';
import { createPlanningSettingsQueries } from '../projections/planning/queries.js';
import { planning as planningRows } from '../projections/planning/read-model.js';
import { area } from './area.js';
import { warehouses } from './warehouses.js';

export const planning = area({
  name: 'planning',
  examples: PLANNING_EXAMPLES,
  streams: [{ prefix: PLANNING_PREFIX, events: PLANNING_EVENTS, tenant: 'business' }],
  readModels: [planningRows],
  services: ({ database, config: { routing } }) => ({
    settings: createPlanningSettingsQueries(database, { road_factor_percent: routing.roadFactorPercent }),
  }),
  operations: ({ settings }, { handle, of }) =>
    planningSettingsOperations({ handle: handle(decider), settings, warehouses: of(warehouses).queries }),
});
