/**
 * Members that every webhook has in addition to its own (specification webhook-events, section 1). These are the id of
 * the object, its current and previous status if the event contains them, the time, and the kind of actor.
 */
import { z } from 'zod';
import type { JsonObject } from '../events/core/log.js';
import type { Kind, PayloadInput } from './kind.js';

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
  data: (input) => {
    const own = kind.data(input);
    return { ...commonOf(kind, input, own), ...own };
  },
});

function commonOf(
  { objectId, status, previousStatus, occurred }: Kind,
  input: PayloadInput,
  own: JsonObject,
): JsonObject {
  const { metadata } = input.event;
  const now = status?.(input, own) ?? own['status'];
  const before = now === undefined ? undefined : previousStatus?.(input);
  return {
    id: typeof objectId === 'string' ? own[objectId]! : objectId(input),
    ...(now !== undefined && { status: now }),
    ...(before !== undefined && { previous_status: before }),
    occurred_at: (occurred && input.data[occurred]) ?? metadata['recorded_at']!,
    // Events that were recorded before actors existed are attributed to the system.
    actor: { kind: (metadata['actor'] as JsonObject | undefined)?.['kind'] ?? 'system' },
  };
}
