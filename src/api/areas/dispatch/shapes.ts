/** Items and decisions as the API shows them. */
import { z } from 'zod';
import { CONTACTED, DECISIONS } from '../../../events/dispatch/decisions.js';
import { STATES } from '../../../events/dispatch/standing.js';

const outcome = z
  .object({ status: z.enum(['done', 'refused']), code: z.string().optional().describe('Why it was refused.') })
  .describe('What came of it, where it was to do something.');

const decided = {
  decision_id: z.string(),
  decision: z.enum(DECISIONS),
  by: z.int().describe('User id.'),
  at: z.string(),
  until: z.string().optional().describe('Absent: until the facts are others.'),
  outcome: outcome.optional(),
};

export const itemSchema = z
  .object({
    item: z.string().describe('`<kind>:<id>`, the same on every read.'),
    kind: z.string(),
    severity: z.int().min(1).max(3),
    state: z.enum(STATES),
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
    seen: z.string().describe('For a decision: it holds for these facts alone.'),
    taken_by: z.object({ user_id: z.int(), name: z.string().optional(), since: z.string() }).optional(),
    last_decision: z.object(decided).optional(),
    choices: z.array(z.enum(DECISIONS)).describe('What the caller may decide now.'),
  })
  .meta({ id: 'DispatchItem' });
export type ShownItem = z.infer<typeof itemSchema>;

export const decisionSchema = z
  .object({
    ...decided,
    decision_id: z.string().optional().describe('Absent: the decision before was taken back.'),
    decision: z.enum([...DECISIONS, 'reopened']),
    date: z.string(),
    item: z.string(),
    desk: z.int().optional().describe('Of this contractor; absent: of the business.'),
    subject: z.string().optional(),
    order_id: z.int().nullable(),
    contacted: z.enum(CONTACTED).optional(),
    operation: z.string().optional(),
    took_over_from: z.int().optional(),
    seen: z.string().optional(),
    facts: z.record(z.string(), z.unknown()).optional().describe('As they were seen.'),
    note: z.string().optional(),
  })
  .meta({ id: 'DispatchDecision' });
