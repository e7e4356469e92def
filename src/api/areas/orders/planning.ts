/** What plans of routes want to know of an order. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { orderPlanningSchema, orderStream } from '../../../events/orders/events.js';
import { businessOf, userOf } from '../../core/callers.js';
import { invalidField } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { mustBeNamed, ownAmountsInput } from '../plans/capacities.js';
import { orderId } from './input.js';
import { WRITERS } from './viewer.js';

/** As drivers and vehicles name what they can. */
export const skillCode = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/);
export const planningMembers = {
  service_time_s: z.int().min(0).max(28_800),
  required_skills: z.array(skillCode).max(20),
  priority: z.int().min(0).max(9),
  custom_sizes: ownAmountsInput,
};
const taken = 'Null: it is taken away.';

export const orderPlanning = ({ orders, settings }: Parts<'settings'> & { orders: Commands['orders'] }): Operation =>
  operation({
    name: 'orderPlanning',
    tag: 'Orders',
    summary: 'Say how long its stops take, what driver and vehicle must be able to, how urgent and how large it is.',
    description: 'For all plans from now on; a request to plan may say otherwise for itself. Absent members stay.',
    rest: { method: 'patch', path: '/v1/orders/:order_id/planning' },
    callers: WRITERS,
    scopes: ['orders:write'],
    risk: 'medium',
    writes: true,
    reads: ['planning'],
    awaits: ['orders'],
    answers: { 404: 'No such order.', 409: 'The order has ended.', 422: 'The business has no such capacity.' },
    input: z.object({
      order_id: orderId,
      service_time_s: planningMembers.service_time_s.nullable().optional().describe(`At each of its stops. ${taken}`),
      required_skills: planningMembers.required_skills.nullable().optional().describe(taken),
      priority: planningMembers.priority
        .nullable()
        .optional()
        .describe(`The higher stays on a route where not all fit. ${taken}`),
      custom_sizes: planningMembers.custom_sizes
        .nullable()
        .optional()
        .describe(`How much it takes of the business's own capacities (\`custom_capacities\`). ${taken}`),
    }),
    output: z.object({ result: z.boolean(), order_id: z.int(), planning: orderPlanningSchema.nullable() }),
    async run({ order_id, ...given }, { caller, cause, commandId, wrote }) {
      const planning = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      if (Object.keys(planning).length === 0) throw invalidField('REQUIRED', 'priority');
      const business = businessOf(caller);
      const names = (given.custom_sizes ?? []).map(({ name }) => name);
      if (names.length > 0) mustBeNamed(names, await settings.settingsOf(business), 'custom_sizes');
      const command = {
        do: 'set_planning',
        commandId,
        orderId: order_id,
        business,
        by: userOf(caller).userId,
        planning,
      } as const;
      const { position, reply } = await orders(orderStream(order_id), command, cause);
      wrote(position);
      return { result: true, order_id, planning: reply.planning };
    },
  });
