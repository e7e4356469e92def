/** Adds a purchase with an unknown result, as if the double had not responded. */
import { randomUUID } from 'node:crypto';
import { createHandler } from '../../../src/commands/core/handler.js';
import type { Service } from '../../../src/compose/service.js';
import { eventTypes } from '../../../src/events/core/codec.js';
import { eventually } from '../eventually.js';
import { double } from './decider.js';
import { DOUBLE_EVENTS, doubleStream, PURCHASE } from './events.js';

/** Returns the id of the effect, which is listed when the promise resolves. The service must have the area `double`. */
export async function addOpenEffect({ engines }: Pick<Service, 'engines'>, business: number): Promise<string> {
  const { log, keyRing, pool } = engines;
  const handle = createHandler({
    decider: double,
    types: eventTypes(DOUBLE_EVENTS as never),
    log,
    keyRing,
    now: Date.now,
  });
  const stream = doubleStream(randomUUID());
  const cause = { correlationId: randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' } as const;
  const ordered = { stream, business, adapter: 'double_none', account: 'account-1', digest: 'none', note: 'For Ada' };
  const { effectId } = (await handle(stream, { do: 'order', ...ordered }, cause)).reply.effect!;
  const record = { step: 'left_open', cause: 'timeout' } as const;
  await handle(stream, { do: 'effect', kind: PURCHASE.kind, effectId, record }, cause);
  await eventually(async () => {
    const { rowCount } = await pool.query("select from access.effects where effect_id = $1 and step = 'left_open'", [
      effectId,
    ]);
    return rowCount === 1;
  }, 'the effect is listed');
  return effectId;
}
