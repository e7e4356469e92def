/** Random commands to fleets of a business and of a contractor: captains, drivers, vehicles and rules of the board. */
import { fleets, type FleetChange } from '../../../../../src/commands/fleets/decider.js';
import { boardRulesSchema, fleetStream, vehicleSchema } from '../../../../../src/events/fleets/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const CONTRACTOR = 2;
const CAPTAINS = [11, 12];

/** Sends a command by the office, or by a contractor or a captain. */
const send = ({ send: to, business }: Tools, pick: Pick, id: number, body: FleetChange) => {
  const office = pick.of(4) > 1;
  const by = office ? 1 : pick.one(CONTRACTOR, ...CAPTAINS);
  return to(fleets, fleetStream(id), { ...body, id, business, by, office });
};
const change = (tools: Tools, pick: Pick, body: FleetChange) => send(tools, pick, tools.existing(pick), body);

export const MIX = generator({
  create: (tools, pick) =>
    send(tools, pick, tools.fresh(), {
      do: 'create',
      name: `Fleet ${pick.of(9)}`,
      contractorId: pick.of(4) === 1 ? CONTRACTOR : undefined,
    }),
  rename: (tools, pick) => change(tools, pick, { do: 'change', name: `Fleet ${pick.of(9)}` }),
  setRules: (tools, pick) => change(tools, pick, { do: 'change', rules: pick.like(boardRulesSchema) }),
  setCaptains: (tools, pick) => change(tools, pick, { do: 'setCaptains', ids: pick.some(...CAPTAINS) }),
  setDrivers: (tools, pick) => change(tools, pick, { do: 'setDrivers', ids: pick.some(21, 22, 23) }),
  setVehicles: (tools, pick) =>
    change(tools, pick, {
      do: 'setVehicles',
      vehicles: pick
        .some(1, 2, 3, 4, 5, 6)
        .map((number) => ({ ...pick.like(vehicleSchema), vehicle_id: `V${number}` })),
    }),
  dissolve: (tools, pick) => rarely(pick, 2, () => change(tools, pick, { do: 'dissolve' })),
});
