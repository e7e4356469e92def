/** Items and decisions as the API returns them. */
import { z } from 'zod';
import { CONTACTED, DECISIONS } from '../../../events/dispatch/decisions.js';
import { STATES } from '../../../events/dispatch/standing.js';

export const outcomeSchema = z
  .object({ status: z.enum(['done', 'refused']), code: z.string().optional().describe('Why it was refused.') })
  .meta({ id: 'DispatchOutcome' })
  .describe('What came of it, where it was to do something.');

const decided = {
  id: z.string(),
  decision: z.enum(DECISIONS),
  decided_by: z.int(),
  decided_at: z.string(),
  expires_at: z.string().optional().describe('Absent: until the facts change.'),
  outcome: outcomeSchema.optional(),
};

export const decisionSchema = z
  .object({
    ...decided,
    id: z.string().optional().describe('Absent: the decision before was taken back.'),
    decision: z.enum([...DECISIONS, 'reopened']),
    schedule_date: z.string(),
    item_id: z.string(),
    desk: z.int().optional().describe('Id of the contractor whose desk it is. Absent: of the business.'),
    subject: z.string().optional(),
    order_id: z.int().nullable(),
    contacted: z.enum(CONTACTED).optional(),
    operation: z.string().optional(),
    took_over_from: z.int().optional(),
    version: z.string().optional().describe('Of the item when it was decided.'),
    facts: z.record(z.string(), z.unknown()).optional().describe('Of the item when it was decided.'),
    note: z.string().optional(),
  })
  .meta({ id: 'DispatchDecision' });

export const itemSchema = z
  .object({
    id: z.string().describe('`<kind>:<id>`, the same on every read.'),
    kind: z.string(),
    severity: z.int().min(1).max(3),
    status: z.enum(STATES),
    since: z.string().describe('When it came to be so.'),
    title_code: z.string(),
    title: z.string().describe('In the language of the caller.'),
    order_id: z.int().nullable(),
    order_ref: z.string().nullable(),
    route_id: z.int().nullable(),
    plan_id: z.int().nullable(),
    job_id: z.string().nullable(),
    driver_id: z.int().nullable(),
    driver_name: z.string().optional(),
    facts: z.record(z.string(), z.unknown()).describe('What was observed. Nothing is foretold.'),
    version: z.string().describe('A decision names it: it counts for these facts alone.'),
    taken_by: z.int().optional(),
    taken_by_name: z.string().optional(),
    taken_at: z.string().optional(),
    last_decision: z.object(decided).meta({ id: 'DispatchLastDecision' }).optional(),
    decisions: z.array(decisionSchema).optional().describe('Only of a single item.'),
    choices: z.array(z.enum(DECISIONS)).describe('What the caller may decide now.'),
  })
  .meta({ id: 'DispatchItem' });
export type ShownItem = z.infer<typeof itemSchema>;
