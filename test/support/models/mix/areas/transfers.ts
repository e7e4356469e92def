/** Random transfers between warehouses, with the steps that order streams report. */
import { transfers, type TransferChange } from '../../../../../src/commands/transfers/decider.js';
import { TRANSFER_REASONS, transferStream } from '../../../../../src/events/transfers/events.js';
import { duesOf } from '../../../../../src/events/transfers/state.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const PARCELS = ['P1', 'P2', 'P3'];

const send = ({ send: to, business }: Tools, id: number, body: TransferChange) =>
  to(transfers, transferStream(id), { ...body, id, business });
const change = (tools: Tools, pick: Pick, body: TransferChange) => send(tools, tools.existing(pick), body);

/** Reports the due steps as order streams do; one in eight is rejected. */
async function record(tools: Tools, pick: Pick) {
  const id = tools.existing(pick);
  const { reply } = await send(tools, id, { do: 'look' });
  const outcomes = duesOf(reply).map(({ tracking_number, step }) => ({
    tracking_number,
    step,
    ...(pick.of(8) === 1 && { code: 'NOT_HERE' }),
  }));
  return outcomes.length > 0 ? send(tools, id, { do: 'record', outcomes }) : undefined;
}

export const MIX = generator({
  create: (tools, pick) =>
    rarely(pick, 2, () =>
      send(tools, tools.fresh(), {
        do: 'create',
        mode: pick.one('book', 'ship', 'ship'),
        reason_code: pick.one(...TRANSFER_REASONS),
        note: pick.one(undefined, 'by hand'),
        from: 1,
        to: 2,
        packages: PARCELS.map((tracking_number, index) => ({ order_id: index + 1, tracking_number })),
        by: 1,
      }),
    ),
  record,
  // After each step its parcels are reported before the next command.
  recordSoon: record,
  ship: (tools, pick) => change(tools, pick, { do: 'ship', seal: 'S1', vehicle: 'V1', by: 1 }),
  arrive: (tools, pick) => change(tools, pick, { do: 'arrive', tracking_numbers: pick.some(...PARCELS), by: 1 }),
  complete: (tools, pick) => rarely(pick, 2, () => change(tools, pick, { do: 'complete', by: 1 })),
  rollback: (tools, pick) => rarely(pick, 3, () => change(tools, pick, { do: 'rollback', reason: 'wrong', by: 1 })),
});
