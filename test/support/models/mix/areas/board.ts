/** Random commands to routes on the board: postings, claims, queues, reservations and their deadlines. */
import type { BoardChange } from '../../../../../src/commands/routes/board.js';
import { CLOSE_TIMER, HOLD_TIMER, type Posting } from '../../../../../src/events/routes/board.js';
import { routeStream } from '../../../../../src/events/routes/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const DRIVERS = [11, 12];

const send = ({ sendThrough, core, business }: Tools, routeId: number, body: object) => {
  const command = { by: 1, ...body, routeId, business };
  return sendThrough(core.commands.routes, routeStream(routeId), command as never);
};
const onBoard = (tools: Tools, pick: Pick, body: BoardChange) => send(tools, tools.existing(pick), body);
const driverId = (pick: Pick): number => pick.one(...DRIVERS);
/** In most cases the whole queue may be promoted. */
const promoting = ({ now }: Tools, pick: Pick) => ({ now, eligible: new Set(pick.of(4) === 1 ? [] : DRIVERS) });

const postingOf = (tools: Tools, pick: Pick): Posting => ({
  fleet_ids: pick.some(1, 2, 3),
  opens_at: tools.at(-1),
  closes_at: tools.at(1 + pick.of(9)),
  start_at: tools.at(20),
  end_at: tools.at(28),
  standby_limit: 3,
  withdraw_until: tools.at(pick.one(-1, 8)),
  reward: { amount: '12.50', currency: 'EUR' },
});

export const MIX = generator({
  create: (tools, pick) =>
    rarely(pick, 2, () =>
      send(tools, tools.fresh(), {
        do: 'create',
        name: `Board ${pick.of(9)}`,
        schedule_date: tools.date,
        fleetId: pick.of(3),
      }),
    ),
  assign: (tools, pick) =>
    rarely(pick, 4, () =>
      send(tools, tools.existing(pick), {
        do: 'assign_driver',
        driverId: pick.one(undefined, ...DRIVERS),
        ...promoting(tools, pick),
      }),
    ),
  post: (tools, pick) => onBoard(tools, pick, { do: 'post', posting: postingOf(tools, pick) }),
  unpost: (tools, pick) => rarely(pick, 3, () => onBoard(tools, pick, { do: 'unpost' })),
  claim: (tools, pick) => onBoard(tools, pick, { do: 'claim', driverId: driverId(pick), now: tools.now }),
  standby: (tools, pick) => onBoard(tools, pick, { do: 'standby', driverId: driverId(pick), now: tools.now }),
  // A reservation lasts ten minutes, so a random command would rarely find one.
  handOver: async (tools, pick) => {
    const { now } = tools;
    const route = tools.fresh();
    const [first, second] = DRIVERS as [number, number];
    await send(tools, route, { do: 'create', name: 'Handed over', schedule_date: tools.date });
    await send(tools, route, { do: 'post', posting: postingOf(tools, pick) });
    await send(tools, route, { do: 'claim', driverId: first, now });
    await send(tools, route, { do: 'standby', driverId: second, now });
    await send(tools, route, { do: 'withdraw', driverId: first, now, eligible: new Set([second]) });
    return pick.flag()
      ? send(tools, route, { do: 'confirm', driverId: second, now })
      : send(tools, route, { do: 'expire', name: HOLD_TIMER, now: now + 3_600_000, eligible: new Set() });
  },
  withdraw: (tools, pick) =>
    onBoard(tools, pick, { do: 'withdraw', driverId: driverId(pick), reason: 'ill', ...promoting(tools, pick) }),
  lose: (tools, pick) =>
    onBoard(tools, pick, { do: 'lose', driverId: driverId(pick), why: 'DOCUMENT_MISSING', ...promoting(tools, pick) }),
  expire: (tools, pick) => {
    const later = tools.now + pick.of(20) * 3_600_000;
    const name = pick.one(CLOSE_TIMER, HOLD_TIMER);
    return onBoard(tools, pick, { do: 'expire', name, ...promoting(tools, pick), now: later });
  },
  // Rare, because a started route is no longer on the board.
  start: (tools, pick) => rarely(pick, 4, () => onBoard(tools, pick, { do: 'start', now: tools.now })),
  finish: async (tools, pick) => {
    const route = tools.existing(pick);
    await send(tools, route, { do: 'start', now: tools.now });
    return send(tools, route, { do: 'finish', now: tools.now });
  },
  close: (tools, pick) => rarely(pick, 6, () => send(tools, tools.existing(pick), { do: 'close' })),
});
