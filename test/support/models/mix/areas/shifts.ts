/** Random commands to the shifts of drivers, in the months in which they start. */
import { shifts, type ShiftCommand } from '../../../../../src/commands/shifts/decider.js';
import { monthOf, shiftSchema, shiftsStream } from '../../../../../src/events/shifts/events.js';
import { generator, type Tools, type CommandBody } from '../generator.js';
import type { Pick } from '../pick.js';

const DRIVERS = 3;
/** Later than the mix. */
const MONTH = '2026-06-01T00:00:00Z';

const at = (hours: number): string => new Date(Date.parse(MONTH) + hours * 3_600_000).toISOString();

function send(
  { send: to, business }: Tools,
  shiftId: number,
  body: CommandBody<ShiftCommand, 'driverId' | 'shiftId' | 'by'>,
) {
  const driverId = 1 + (shiftId % DRIVERS);
  const stream = shiftsStream(driverId, monthOf(MONTH));
  return to(shifts, stream, { ...body, id: stream.slice(stream.indexOf('-') + 1), business, driverId, shiftId, by: 1 });
}

function shiftOf(pick: Pick) {
  const start = pick.of(600);
  return {
    ...pick.like(shiftSchema),
    start_at: at(start),
    end_at: at(start + 8),
    breaks: [{ duration_s: 1_800, earliest_at: at(start + 3), latest_at: at(start + 5) }],
  };
}

export const MIX = generator({
  plan: (tools, pick) =>
    send(tools, tools.fresh(), { do: 'plan', fleetId: pick.of(3), shift: shiftOf(pick), neighbours: [] }),
  change: (tools, pick) =>
    send(tools, tools.existing(pick), {
      do: 'change',
      shift: shiftOf(pick),
      now: Date.parse(at(pick.of(400))),
      neighbours: [],
    }),
  cancel: (tools, pick) => send(tools, tools.existing(pick), { do: 'cancel' }),
  confirm: (tools, pick) => send(tools, tools.existing(pick), { do: 'confirm' }),
});
