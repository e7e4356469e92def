/** The read model of planning and dispatch settings: one row per business that has set any. */
import type { StoredEvent } from '../../events/core/log.js';
import {
  DispatchSettingsSet,
  dispatchSettingsSchema,
  PLANNING_PREFIX,
  PlanningSettingsSet,
  type DispatchSettings,
  type PlanningSettings,
} from '../../events/planning/events.js';
import { integer, json, optional, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

const columns = {
  id: integer(),
  /** Null: never set. */
  settings: optional(json<PlanningSettings>()),
  dispatch: optional(json<DispatchSettings>()),
  revision: integer(),
};
export type PlanningRow = RowOf<typeof columns>;

const none = ({ stream, revision }: StoredEvent): PlanningRow => ({
  id: Number(stream.slice(PLANNING_PREFIX.length)),
  settings: null,
  dispatch: null,
  revision,
});

export const planning = table({
  name: 'planning',
  version: 1,
  prefixes: [PLANNING_PREFIX],
  columns,
  fold(row, event) {
    const { type, data, revision } = event;
    const next = Object.assign(row ?? none(event), { revision });
    if (type === PlanningSettingsSet.type) next.settings = data['settings'] as unknown as PlanningSettings;
    if (type === DispatchSettingsSet.type) next.dispatch = dispatchSettingsSchema.parse(data);
    return next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'planning', { 'planning.planning': PlanningRow }> {}
}
