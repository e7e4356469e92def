/** Assignments as the API returns them (specification 1, "Contractor order assignment"). */
import { z } from 'zod';
import type { Assignment } from '../../../projections/assignments/queries.js';
import { ASSIGNMENT_STATUSES } from '../../../projections/assignments/read-model.js';
import { RELATIONS } from '../../core/relations.js';

export const assignmentSchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    order_ref: z.string().nullable(),
    order_status_id: z.int().nullable(),
    scheduled_date: z.string().nullable().describe('Planned date of the order, `YYYY-MM-DD`.'),
    route_id: z.int().nullable().describe('Route of the order. Null while the order is on no route.'),
    broker_id: z.int().describe('User id of the contractor.'),
    broker_name: z.string().nullable(),
    status: z.enum(ASSIGNMENT_STATUSES),
    note: z.string().nullable(),
    assigned_by: z.int().nullable(),
    assigned_at: z.string().nullable().describe('Time of the assignment, ISO 8601.'),
    ended_by: z.int().nullable(),
    ended_at: z.string().nullable().describe('End of the assignment, ISO 8601.'),
    end_reason: z.string().nullable(),
  })
  .meta({ id: 'BrokerOrderAssignment' })
  .register(RELATIONS, { order: 'order', route: 'route' });

/** Erased fields are null. */
export function toAssignment(row: Assignment, brokerName: string | undefined): z.infer<typeof assignmentSchema> {
  const {
    id,
    order_id,
    order_ref,
    order_status_id,
    schedule_date,
    route_id,
    broker_id,
    status,
    note = null,
    assigned_by,
    assigned_at,
    ended_by,
    ended_at,
    reason = null,
  } = row;
  return {
    id,
    order_id,
    order_ref,
    order_status_id,
    scheduled_date: schedule_date,
    route_id,
    broker_id,
    broker_name: brokerName ?? null,
    status,
    note,
    assigned_by,
    assigned_at,
    ended_by,
    ended_at,
    end_reason: reason,
  };
}
