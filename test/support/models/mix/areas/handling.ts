/** Random scans of parcels in warehouses. */
import { orderStream, QUARANTINE_REASONS } from '../../../../../src/events/orders/events.js';
import { instantAt } from '../../../../../src/events/otep/time.js';
import type { ParcelChange } from '../../../../../src/commands/orders/command.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const ROUTE = 7;

const send = ({ sendThrough, core, business }: Tools, orderId: number, command: object) =>
  sendThrough(core.commands.orders, orderStream(orderId), { ...command, orderId, business, by: 1 } as never);
const parcelOf = (orderId: number, parcel: number): string => `HANDLED${orderId}-${parcel}`;

const handle = (tools: Tools, pick: Pick, body: ParcelChange) => {
  const orderId = tools.existing(pick);
  return send(tools, orderId, {
    do: 'handle',
    ...body,
    tracking_number: parcelOf(orderId, pick.of(2)),
    occurred_at: new Date(tools.now).toISOString(),
    instant: instantAt(tools.now),
    warehouse: pick.of(2),
    site: { name: 'Hub', city: 'Hamburg' },
    codes: {},
    force: pick.flag(),
  });
};
const location = (pick: Pick): string => pick.one('A-01', 'A-02');

export const MIX = generator({
  create: (tools, pick) => {
    const orderId = tools.fresh();
    const packages = [1, 2].map((parcel) => ({ tracking_number: parcelOf(orderId, parcel) }));
    return send(tools, orderId, {
      do: 'create',
      order: { type: 'D', self_delivery: true, delivery: { postal_code: '10115' }, packages, time_windows: [] },
      warehouse: pick.one(undefined, 1),
    });
  },
  setWarehouse: (tools, pick) => send(tools, tools.existing(pick), { do: 'set_warehouse', warehouse: pick.of(2) }),
  putOnRoute: (tools, pick) => send(tools, tools.existing(pick), { do: 'put_on_route', routeId: ROUTE }),
  takeOffRoute: (tools, pick) => send(tools, tools.existing(pick), { do: 'take_off_route', routeId: ROUTE }),
  receive: (tools, pick) => handle(tools, pick, { what: pick.one('receive', 'unload', 'return') }),
  store: (tools, pick) => handle(tools, pick, { what: pick.one('put_away', 'move'), location: location(pick) }),
  quarantine: (tools, pick) =>
    handle(tools, pick, { what: 'quarantine', location: location(pick), reason: pick.one(...QUARANTINE_REASONS) }),
  sort: (tools, pick) => handle(tools, pick, { what: 'sort', routeId: ROUTE, bay: `B${pick.of(3)}` }),
  load: (tools, pick) => handle(tools, pick, { what: 'load', routeId: ROUTE }),
  miss: (tools, pick) => handle(tools, pick, { what: 'missing' }),
  // Rare, because a parcel that left the warehouse does not come back.
  takeOut: (tools, pick) => rarely(pick, 4, () => handle(tools, pick, { what: 'stock_out' })),
});
