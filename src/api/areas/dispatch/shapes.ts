/** Items and decisions as the API returns them. */
import { z } from 'zod';
import { CONTACTED, DECISIONS } from '../../../events/dispatch/decisions.js';
import { STATES } from '../../../events/dispatch/item-state.js';
import { RELATIONS } from '../../core/relations.js';

export const outcomeSchema = z
  .object({ status: z.enum(['done', 'refused']), code: z.string().optional().describe('Error code of the refusal.') })
  .meta({ id: 'DispatchOutcome' })
  .describe('Outcome of the action; omitted for decisions without an action.');

const decisionFields = {
  id: z.string(),
  decision: z.enum(DECISIONS),
  decided_by: z.int(),
  decided_at: z.string(),
  expires_at: z
    .string()
    .optional()
    .describe('Time at which the decision ends. Omitted: the decision is valid until the facts change.'),
  outcome: outcomeSchema.optional(),
};

export const decisionSchema = z
  .object({
    ...decisionFields,
    id: z.string().optional().describe('Id of the decision; omitted for `reopened`.'),
    decision: z.enum([...DECISIONS, 'reopened']),
    schedule_date: z.string(),
    item_id: z.string(),
    desk: z
      .int()
      .optional()
      .describe(
        'Id of the contractor whose dispatchers made the decision. Omitted: dispatchers of the business made it.',
      ),
    subject: z.string().optional(),
    order_id: z.int().nullable(),
    contacted: z.enum(CONTACTED).optional(),
    operation: z.string().optional(),
    took_over_from: z.int().optional(),
    version: z.string().optional().describe('Version of the item when the decision was made.'),
    facts: z.record(z.string(), z.unknown()).optional().describe('Facts of the item when the decision was made.'),
    note: z.string().optional(),
  })
  .meta({ id: 'DispatchDecision' })
  .register(RELATIONS, { item: 'dispatchItem', order: 'order' });

export const itemSchema = z
  .object({
    id: z.string().describe('Id of the item, `<kind>:<id>`; stable across reads.'),
    kind: z.string(),
    severity: z.int().min(1).max(3),
    status: z.enum(STATES),
    since: z.string().describe('Time at which the condition began.'),
    title_code: z.string(),
    title: z.string().describe('Title in the language of the caller.'),
    order_id: z.int().nullable(),
    order_ref: z.string().nullable(),
    route_id: z.int().nullable(),
    plan_id: z.int().nullable(),
    job_id: z.string().nullable(),
    driver_id: z.int().nullable(),
    driver_name: z.string().optional(),
    facts: z.record(z.string(), z.unknown()).describe('Observed facts of the item. The service makes no predictions.'),
    version: z.string().describe('Version of the facts. Pass it with a decision, which is valid only for these facts.'),
    taken_by: z.int().optional(),
    taken_by_name: z.string().optional(),
    taken_at: z.string().optional(),
    last_decision: z.object(decisionFields).meta({ id: 'DispatchLastDecision' }).optional(),
    decisions: z.array(decisionSchema).optional().describe('Decisions on the item. Lists do not contain them.'),
    choices: z.array(z.enum(DECISIONS)).describe('Decisions that the caller may make now.'),
  })
  .meta({ id: 'DispatchItem' })
  .register(RELATIONS, { order: 'order', route: 'route', plan: 'routePlan', job: 'job', driver: 'driver' });
export type ItemResponse = z.infer<typeof itemSchema>;
