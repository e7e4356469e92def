/**
 * Members that every webhook has in addition to its own (specification webhook-events, section 1). These are the id of
 * the object, its current and previous status if the event contains them, the time, and the kind of actor.
 */
import { z } from 'zod';
import type { JsonObject } from '../events/core/log.js';
import type { Kind, Told } from './kind.js';

export const COMMON = {
  id: z.union([z.int(), z.string()]).describe('Id of the resource that the event concerns.'),
  status: z.string().optional(),
  previous_status: z.string().optional(),
  occurred_at: z.string().describe('Time of the event. If the source gave none, the time at which it was recorded.'),
  actor: z.object({ kind: z.string().describe('`user`, `provider` or `system`.') }),
};

/** Adds the common members to a kind. A kind's own member of the same name has precedence. */
export const withCommon = (kind: Kind): Kind => ({
  ...kind,
  shape: z.object({ ...COMMON, ...kind.shape.shape }),
  data: (told) => {
    const own = kind.data(told);
    return { ...commonOf(kind, told, own), ...own };
  },
});

function commonOf({ thing, status, previously, occurred }: Kind, told: Told, own: JsonObject): JsonObject {
  const { metadata } = told.event;
  const now = status?.(told, own) ?? own['status'];
  const before = now === undefined ? undefined : previously?.(told);
  return {
    id: typeof thing === 'string' ? own[thing]! : thing(told),
    ...(now !== undefined && { status: now }),
    ...(before !== undefined && { previous_status: before }),
    occurred_at: (occurred && told.data[occurred]) ?? metadata['recorded_at']!,
    // Events that were recorded before actors existed are attributed to the system.
    actor: { kind: (metadata['actor'] as JsonObject | undefined)?.['kind'] ?? 'system' },
  };
}
