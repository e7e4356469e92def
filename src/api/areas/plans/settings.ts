/** How a business plans where a request says nothing else. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { PlanningCommand } from '../../../commands/planning/decider.js';
import { planningStream, type PlanningSettings } from '../../../events/planning/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, invalidField } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { ownCapacitiesInput } from './capacities.js';
import { driveBreak, MATRICES } from './request.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const money = z.int().min(0).max(100_000_000).describe('Thousandths of the currency.');
const members = {
  default_service_s: z.int().min(0).max(28_800).describe('At a stop, for the first package.'),
  per_further_package_s: z.int().min(0).max(3_600),
  default_shift: z.strictObject({
    start: clock,
    end: clock,
    breaks: z.array(z.strictObject({ duration_s: z.int().min(60).max(14_400), earliest: clock, latest: clock })).max(4),
    drive_break: driveBreak
      .optional()
      .describe('After so long at the wheel a pause of so long: for every driver, also in shifts of their own.'),
  }),
  default_start: idSchema.optional().describe('Warehouse where drivers start; absent: the only one of the business.'),
  default_end: idSchema.optional().describe('Warehouse where they end; absent: where they start.'),
  road_factor_percent: z.int().min(100).max(300).describe('How much longer roads are than the straight line.'),
  speeds: z
    .array(z.strictObject({ metres: z.int().min(0).max(10_000_000), kmh: z.int().min(1).max(200) }))
    .min(1)
    .max(20)
    .describe('Speed by the length of a way; linear in between.'),
  weights: z.strictObject({ per_route: money, per_km: money, per_hour: money }),
  eta_window_minutes: z.int().min(15).max(240),
  matrix: z.enum(MATRICES).optional().describe('Where ways come from; absent: `haversine`, which needs no map.'),
  custom_capacities: ownCapacitiesInput
    .optional()
    .describe("What vehicles are full by besides: `custom:<name>` in plans, `custom` of a vehicle's capacity."),
  required_documents: z
    .array(z.string().regex(/^[a-z0-9_]{1,40}$/))
    .max(20)
    .optional()
    .describe('Kinds of documents that a driver must hold to claim a route, or to be online as a rider.'),
  matrix_fallback: z.boolean().optional().describe('Plan by `haversine` where the map does not answer.'),
};
/** What a business need not have said; null: it says it no longer. */
const cleared = {
  default_start: members.default_start.nullable(),
  default_end: members.default_end.nullable(),
  matrix: members.matrix.nullable(),
  custom_capacities: members.custom_capacities.nullable(),
  required_documents: members.required_documents.nullable(),
  matrix_fallback: members.matrix_fallback.nullable(),
};
const shown = z.object(members).meta({ id: 'PlanningSettings' });

export function planningSettingsOperations({
  handle,
  settings,
  warehouses,
}: Parts<'settings' | 'warehouses'> & { handle: Handle<PlanningCommand, undefined> }): Operation[] {
  return [
    operation({
      name: 'planningSettings',
      area: 'Client',
      summary: 'How routes are planned where a request says nothing else',
      rest: { method: 'get', path: '/v1/planning-settings' },
      callers: ['client_admin', 'employee', 'broker', 'auditor'],
      scopes: ['routes:read'],
      reads: ['planning'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), settings: shown }),
      run: async (_input, { caller }) => ({ result: true, settings: await settings.settingsOf(businessOf(caller)) }),
    }),
    operation({
      name: 'planningSettingsUpdate',
      area: 'Client',
      summary: 'Change how routes are planned',
      description: 'Members that are left out stay as they are; null clears a member that is optional.',
      rest: { method: 'patch', path: '/v1/planning-settings' },
      callers: ['client_admin'],
      scopes: ['routes:write'],
      reads: ['planning', 'warehouses'],
      awaits: ['planning'],
      writes: true,
      risk: 'medium',
      answers: { 404: 'The business has no such warehouse.' },
      input: z.object({ ...z.object(members).partial().shape, ...cleared }),
      output: z.object({ result: z.boolean(), settings: shown }),
      async run(input, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
        const changed = { ...(await settings.settingsOf(business)), ...given };
        const next = Object.fromEntries(
          Object.entries(changed).filter(([, value]) => value !== null),
        ) as unknown as PlanningSettings;
        mustBeOrdered(next);
        for (const id of [input.default_start, input.default_end])
          if (typeof id === 'number' && !(await warehouses.byId(id, business)))
            throw new ApiError('WAREHOUSE_NOT_FOUND');
        const by = userOf(caller).userId;
        const command = { do: 'set' as const, id: business, business, commandId, settings: next, by };
        wrote((await handle(planningStream(business), command, cause)).position);
        return { result: true, settings: next };
      },
    }),
  ];
}

/** Throws for a shift that ends before it starts, breaks that overlap, speeds that are not sorted. */
function mustBeOrdered({ default_shift: { start, end, breaks }, speeds }: PlanningSettings): void {
  if (start >= end) throw invalidField('INVALID_FORM', 'end', '/default_shift/end');
  breaks.forEach(({ earliest, latest }, index) => {
    const before = breaks[index - 1]?.latest ?? '';
    if (earliest > latest || earliest <= before)
      throw invalidField('INVALID_FORM', 'earliest', `/default_shift/breaks/${index}/earliest`);
  });
  speeds.forEach(({ metres }, index) => {
    if (index > 0 && metres <= speeds[index - 1]!.metres)
      throw invalidField('INVALID_FORM', 'metres', `/speeds/${index}/metres`);
  });
}
