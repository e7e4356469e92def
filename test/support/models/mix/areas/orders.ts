/** Random scans of orders, also after their end: conflicts, their settlement, and wrong scans. */
import type { OrderCommand } from '../../../../../src/commands/orders/decider.js';
import { orderStream, PackageScanned, SCAN_CODES } from '../../../../../src/events/orders/events.js';
import { instantAt } from '../../../../../src/events/otep/time.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

type Body = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;

const DRIVER = 7;
const HOUR_MS = 3_600_000;

const send = ({ sendThrough, core, business }: Tools, orderId: number, body: Body) =>
  sendThrough(core.commands.orders, orderStream(orderId), { ...body, orderId, business } as never);

/** A scan of the last hours. */
function scanned({ now }: Tools, pick: Pick) {
  const at = now - pick.of(4) * HOUR_MS;
  return {
    status_code: pick.one(...SCAN_CODES),
    occurred_at: new Date(at).toISOString(),
    instant: instantAt(at),
    note: pick.one('left with Ada', 'rang twice'),
  };
}

async function supersede(tools: Tools, pick: Pick, replaces: boolean) {
  const orderId = tools.existing(pick);
  const scans: string[] = [];
  for await (const { id, type } of tools.core.engines.log.read(orderStream(orderId)))
    if (type === PackageScanned.type) scans.push(id);
  if (scans.length === 0) return undefined;
  const replacement = replaces ? { replacement: scanned(tools, pick) } : {};
  return send(tools, orderId, {
    do: 'supersede_scan',
    scanId: pick.one(...(scans as [string])),
    reason: 'wrong parcel',
    by: 1,
    ...replacement,
  });
}

function create(tools: Tools, pick: Pick, orderId: number) {
  const packages = [1, 2].map((parcel) => ({ tracking_number: `SCANNED${orderId}-${parcel}` }));
  return send(tools, orderId, {
    do: 'create',
    order: {
      type: 'D',
      self_delivery: true,
      delivery: { postal_code: '10115' },
      packages: packages.slice(0, pick.of(2)),
      time_windows: [],
    },
  });
}

export const MIX = generator({
  create: (tools, pick) => create(tools, pick, tools.fresh()),
  /** A new order, so that some failures are never superseded. */
  fail: async (tools, pick) => {
    const orderId = tools.fresh();
    await create(tools, pick, orderId);
    return send(tools, orderId, {
      do: 'scan',
      tracking_number: `SCANNED${orderId}-1`,
      by: DRIVER,
      ...scanned(tools, pick),
      status_code: pick.one('delivery_failed', 'return_to_sender'),
    });
  },
  scan: (tools, pick) => {
    const orderId = tools.existing(pick);
    return send(tools, orderId, {
      do: 'scan',
      tracking_number: `SCANNED${orderId}-1`,
      by: DRIVER,
      driverId: DRIVER,
      custody: pick.one('now', 'then', 'earlier'),
      ...scanned(tools, pick),
    });
  },
  cancel: (tools, pick) => rarely(pick, 2, () => send(tools, tools.existing(pick), { do: 'cancel', by: 1 })),
  settle: (tools, pick) =>
    send(tools, tools.existing(pick), {
      do: 'settle_scan',
      decision: pick.one('apply', 'discard'),
      reason: 'asked',
      by: 1,
    }),
  supersede: (tools, pick) => supersede(tools, pick, false),
  replace: (tools, pick) => supersede(tools, pick, true),
});
