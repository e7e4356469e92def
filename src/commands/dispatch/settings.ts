/** Decides commands on the dispatch settings of a business. */
import { DispatchSettingsSet, PLANNING_PREFIX, type DispatchSettings } from '../../events/planning/events.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

export interface SettingsCommand extends EntityCommand {
  readonly do: 'set';
  readonly by: number;
  readonly settings: DispatchSettings;
}

/** Each command replaces all settings. The command may be repeated. */
export const planningSettings = entity<object, SettingsCommand>({
  name: PLANNING_PREFIX,
  makes: 'set',
  madeOnce: false,
  notFound: 'NOT_FOUND',
  initial: () => ({}),
  decide: (_state, { business, by, settings }) => newEvent(DispatchSettingsSet, { ...settings, business, set_by: by }),
  evolve: (state) => state,
});
