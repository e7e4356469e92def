/** Planning defaults of a business; requests may override them. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanningCommand } from '../../../commands/planning/decider.js';
import { planningStream } from '../../../events/planning/events.js';
import { toSettingsResponse, toStoredSettings } from './settings-conversion.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, invalidForm } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { members, planningSettingsSchema, type PlanningSettingsResponse } from './settings-shape.js';
import { versionByBusiness } from '../../core/versions.js';

/** Optional settings; null removes them. */
const clearableFields = {
  default_start_warehouse_id: members.default_start_warehouse_id.nullable(),
  default_end_warehouse_id: members.default_end_warehouse_id.nullable(),
  matrix: members.matrix.nullable(),
  custom_capacities: members.custom_capacities.nullable(),
  required_documents: members.required_documents.nullable(),
  matrix_fallback: members.matrix_fallback.nullable(),
};
/** Settings of dispatch are in the same stream, and raise the version, too. */
export const PLANNING_VERSION = versionByBusiness(planningStream);

export function planningSettingsOperations({
  handle,
  settings,
  warehouses,
}: Parts<'settings' | 'warehouses'> & { handle: Handle<PlanningCommand, undefined> }): Operation[] {
  return [
    operation({
      name: 'planningSettings',
      versioned: PLANNING_VERSION,
      area: 'Client',
      summary: 'Get the planning settings',
      description: 'Returns the defaults for route plans; requests may override them.',
      rest: { method: 'get', path: '/v1/planning-settings' },
      callers: ['client_admin', 'employee', 'broker', 'auditor'],
      scopes: ['routes:read'],
      reads: ['planning'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), planning_settings: planningSettingsSchema }),
      async run(_input, { caller }) {
        const { settings: found, version } = await settings.versioned(businessOf(caller));
        return { result: true, planning_settings: { ...toSettingsResponse(found), version } };
      },
    }),
    operation({
      name: 'planningSettingsUpdate',
      versioned: PLANNING_VERSION,
      area: 'Client',
      summary: 'Update the planning settings',
      description:
        'Fields that are omitted stay unchanged; null clears an optional field. The settings apply to later plans.',
      rest: { method: 'patch', path: '/v1/planning-settings' },
      callers: ['client_admin'],
      scopes: ['routes:write'],
      reads: ['planning', 'warehouses'],
      awaits: ['planning'],
      returns: { read: 'planningSettings' },
      writes: true,
      risk: 'medium',
      answers: { 404: 'The business has no such warehouse.' },
      input: z.object({ ...z.object(members).partial().shape, ...clearableFields }),
      output: z.object({ result: z.boolean() }),
      async run(input, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const defined = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
        const changed = { ...toSettingsResponse(await settings.settingsOf(business)), ...defined };
        const withoutNulls = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
        checkTimesAndSpeeds(withoutNulls as unknown as PlanningSettingsResponse);
        const next = toStoredSettings(withoutNulls as unknown as PlanningSettingsResponse);
        for (const id of [input.default_start_warehouse_id, input.default_end_warehouse_id])
          if (typeof id === 'number' && !(await warehouses.byId(id, business)))
            throw new ApiError('WAREHOUSE_NOT_FOUND');
        const by = userOf(caller).userId;
        const command = { do: 'set' as const, id: business, business, commandId, settings: next, by };
        wrote((await handle(planningStream(business), command, cause)).position);
        return { result: true };
      },
    }),
  ];
}

/** Throws for a shift that ends before it starts, breaks that overlap, and speeds that are not sorted. */
function checkTimesAndSpeeds({
  default_shift: { start_time, end_time, breaks },
  speeds,
}: PlanningSettingsResponse): void {
  if (start_time >= end_time) throw invalidForm('end_time', 'later than `start_time`', '/default_shift/end_time');
  breaks.forEach(({ earliest_time, latest_time }, index) => {
    const before = breaks[index - 1]?.latest_time ?? '';
    if (earliest_time > latest_time || earliest_time <= before)
      throw invalidForm(
        'earliest_time',
        'not later than `latest_time`, and later than the break before',
        `/default_shift/breaks/${index}/earliest_time`,
      );
  });
  speeds.forEach(({ distance_m }, index) => {
    if (index > 0 && distance_m <= speeds[index - 1]!.distance_m)
      throw invalidForm('distance_m', 'larger than the distance before', `/speeds/${index}/distance_m`);
  });
}
