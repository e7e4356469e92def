/** Random commands to warehouses: their locations, bays and resolved scan conflicts. */
import { warehouses, type WarehouseChange } from '../../../../../src/commands/warehouses/decider.js';
import { locationSchema, siteSchema, warehouseStream } from '../../../../../src/events/warehouses/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const CODES = ['A-01', 'S-01'];

const send = ({ send: to, business }: Tools, id: number, body: WarehouseChange) =>
  to(warehouses, warehouseStream(id), { ...body, id, business });
const change = (tools: Tools, pick: Pick, body: WarehouseChange) => send(tools, tools.existing(pick), body);

const UPDATE = { do: 'updateLocation', reason: 'damaged', changes: {} } as const;

export const MIX = generator({
  open: (tools, pick) => send(tools, tools.fresh(), { do: 'open', code: `W${tools.now}`, site: pick.like(siteSchema) }),
  change: (tools, pick) => change(tools, pick, { do: 'change', site: pick.like(siteSchema.partial()) }),
  makeDefault: (tools, pick) => change(tools, pick, { do: 'makeDefault' }),
  putLocations: (tools, pick) =>
    change(tools, pick, {
      do: 'putLocations',
      locations: CODES.map((code) => ({ ...pick.like(locationSchema), code })),
    }),
  removeLocations: (tools, pick) =>
    rarely(pick, 3, () => change(tools, pick, { do: 'removeLocations', codes: [pick.one(...CODES)] })),
  block: (tools, pick) => change(tools, pick, { ...UPDATE, code: pick.one(...CODES), blocked: true }),
  updateLocation: (tools, pick) =>
    change(tools, pick, { ...UPDATE, code: pick.one(...CODES), changes: { sequence: pick.of(900) } }),
  unblock: async (tools, pick) => {
    const id = tools.existing(pick);
    const code = pick.one(...CODES);
    await send(tools, id, { ...UPDATE, code, blocked: true });
    return send(tools, id, { ...UPDATE, code, blocked: false });
  },
  giveBay: (tools, pick) => change(tools, pick, { do: 'giveBay', routeId: pick.of(9), date: tools.date }),
  settleScan: (tools, pick) =>
    change(tools, pick, {
      do: 'settleScan',
      op_id: String(pick.of(900)),
      device_id: 'device',
      decision: pick.one('applied', 'discarded'),
      reason: 'seen',
      by: 1,
    }),
  close: (tools, pick) => rarely(pick, 2, () => change(tools, pick, { do: 'close' })),
});
