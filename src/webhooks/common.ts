/**
 * What every webhook says beside what is its own (webhook-events.md 1): which thing it is about, the status that it has
 * and had as far as the event says so, when it happened, and what kind of actor did it.
 */
import { z } from 'zod';
import type { JsonObject } from '../events/core/log.js';
import type { Kind, Told } from './kind.js';

export const COMMON = {
  id: z.union([z.int(), z.string()]).describe('Of the thing that it is about.'),
  status: z.string().optional(),
  previous_status: z.string().optional(),
  occurred_at: z.string().describe('When it happened; where nobody said so: when it was recorded.'),
  actor: z.object({ kind: z.string().describe('`user`, `provider` or `system`.') }),
};

/** The same kind with the common members. Its own ones of the same name count. */
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
    // What was recorded before actors were is the service's own.
    actor: { kind: (metadata['actor'] as JsonObject | undefined)?.['kind'] ?? 'system' },
  };
}
