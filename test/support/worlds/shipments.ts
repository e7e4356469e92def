/** Shipments of a business as its orders create them: an order, and a tracking that carriers write to. */
import { randomUUID } from 'node:crypto';
import type { Cause } from '../../../src/commands/core/handle.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { trackingId, trackingStream } from '../../../src/events/trackings/events.js';
import type { Position } from '../../../src/events/core/log.js';
import type { Service } from '../../../src/compose/service.js';
import { WAIT_LIMIT_MS } from '../eventually.js';

/** Returns the business ids of the demo. */
export async function businessIds({
  engines,
}: Pick<Service, 'engines'>): Promise<{ readonly demo: number; readonly other: number }> {
  const { rows } = await engines.pool.query<{ code: string; id: number }>('select code, id from businesses.businesses');
  return Object.fromEntries(rows.map(({ code, id }) => [code, id])) as { demo: number; other: number };
}

export const causeOf = (business: number, user: number, correlationId: string = randomUUID()): Cause => ({
  correlationId,
  actor: { kind: 'user', id: String(user), role: 'client_admin' },
  channel: 'rest',
  business: String(business),
});

/** Opens a tracking of a business. Returns its id after a push can find it by its number. */
export async function openTracking(
  { commands, progress }: Pick<Service, 'commands' | 'progress'>,
  business: number,
  number: string,
  writers: readonly string[],
  cause: Cause,
): Promise<string> {
  const owner = { kind: 'business', id: String(business) } as const;
  const id = trackingId(owner, number, 0);
  const { position } = await commands.trackings(
    trackingStream(id),
    {
      kind: 'open',
      id,
      subject: { tracking_number: number },
      opening: { owner, number, generation: 0, profile: 'otep' },
      writers,
    },
    cause,
  );
  if (!(await progress.waitFor('timeline', position!, WAIT_LIMIT_MS)))
    throw new Error(`${number} was opened and is not found`);
  return id;
}

type OrderCommandBody = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;

/** Sends a command to an order; returns the resulting position. */
export async function sendToOrder(
  { commands }: Pick<Service, 'commands'>,
  orderId: number,
  business: number,
  command: OrderCommandBody,
  cause: Cause,
): Promise<Position> {
  return (
    await commands.orders(
      orderStream(orderId),
      { commandId: randomUUID(), orderId, business, ...command } as OrderCommand,
      cause,
    )
  ).position!;
}
