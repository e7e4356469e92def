/** Decides commands on planning settings. Each command replaces all settings. */
import { PLANNING_PREFIX, PlanningSettingsSet, type PlanningSettings } from '../../events/planning/events.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

export type PlanningCommand = EntityCommand & {
  readonly do: 'set';
  readonly settings: PlanningSettings;
  readonly by?: number;
};

export const planning = entity<null, PlanningCommand>({
  name: PLANNING_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'FORBIDDEN',
  initial: () => null,
  decide: (_state, { business, settings, by }) => newEvent(PlanningSettingsSet, { business, settings, set_by: by }),
  evolve: (state) => state,
});
