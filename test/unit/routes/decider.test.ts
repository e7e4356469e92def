/** Routes: open until closed. On the board the first claim wins, and later claims wait in a queue. */
import { expect } from 'chai';
import { routes, type RouteCommand } from '../../../src/commands/routes/decider.js';
import type { Posting } from '../../../src/events/routes/board.js';
import { given } from '../../support/checks/given.js';

type CommandBody<C> = C extends unknown ? Omit<C, 'commandId' | 'routeId' | 'business'> : never;
const NOW = Date.parse('2026-03-01T10:00:00Z');
const HOUR = 3_600_000;
let commands = 0;
const of = (body: CommandBody<RouteCommand>, business = 1): RouteCommand =>
  ({ ...body, commandId: `command ${(commands += 1)}`, routeId: 7, business }) as RouteCommand;
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const create = (brokerId?: number) =>
  of({ do: 'create', name: 'North', schedule_date: '2026-03-02', ...(brokerId && { brokerId }) });
const assign = (driverId: number | undefined) => of({ do: 'assign_driver', driverId });
const close = () => of({ do: 'close' });
const planned = { start: 0, end: 1, distance_m: 1, stops: [] };

describe('decider of routes', () => {
  it('rejects access to routes of other businesses, and of other contractors', () => {
    expect(given(routes, create()).refusal(of({ do: 'close' }, 2))).to.equal('ROUTE_NOT_FOUND');
    expect(given(routes, create()).refusal(of({ do: 'close', brokerId: 9 }))).to.equal('ROUTE_NOT_FOUND');
    expect(given(routes, create(9)).when(of({ do: 'close', brokerId: 9 })).types).to.deep.equal(['RouteClosed']);
    expect(given(routes, create(9)).refusal(of({ do: 'plan' })), 'the business plans on none').to.equal('FORBIDDEN');
  });

  it('changes nothing on a closed route', () => {
    const closed = given(routes, create(), close());
    expect(closed.when(close()).types).to.deep.equal([]);
    for (const command of [assign(5), of({ do: 'plan' }), of({ do: 'sequence', planned })])
      expect(closed.refusal(command)).to.equal('ROUTE_CLOSED');
  });

  it('accepts a sequence that was created from the current route', () => {
    const driven = given(routes, create(), assign(5));
    expect(driven.refusal(of({ do: 'sequence', seen: 0, planned })), 'the driver came later').to.equal('CONFLICT');
    expect(driven.refusal(of({ do: 'sequence', driverId: 6, planned }))).to.equal('ROUTE_DRIVER_CHANGED');
    expect(driven.when(of({ do: 'sequence', seen: 1, driverId: 5, planned })).types).to.deep.equal(['RoutePlanned']);
  });

  it('pins those stops whose pin differs', () => {
    const pin = (orderIds: number[], how: 'driver' | null) => of({ do: 'pin', orderIds, pin: how });
    const pinned = given(routes, create(), pin([1], 'driver'));
    expect(pinned.when(pin([1, 2], 'driver')).facts[0]!.data).to.deep.include({ order_ids: [2] });
    expect(pinned.when(pin([2], null)).types).to.deep.equal([]);
    expect(pinned.when(pin([1], null)).types).to.deep.equal(['RouteStopsUnpinned']);
  });
});

describe('a route on the board', () => {
  const posting: Posting = {
    fleet_ids: [1],
    opens_at: at(0),
    closes_at: at(4),
    start_at: at(6),
    end_at: at(8),
    standby_limit: 1,
    withdraw_until: at(2),
  };
  const post = () => of({ do: 'post', posting });
  const claim = (driverId: number, hours = 0) => of({ do: 'claim', driverId, now: NOW + hours * HOUR });
  const standby = (driverId: number) => of({ do: 'standby', driverId, now: NOW });
  const withdraw = (driverId: number, hours = 0, ...eligible: number[]) =>
    of({ do: 'withdraw', driverId, now: NOW + hours * HOUR, eligible: new Set(eligible) });

  it('is claimed by the first driver, between opening and closing', () => {
    const posted = given(routes, create(), post());
    expect(posted.when(post()).types, 'the same again').to.deep.equal([]);
    expect(posted.refusal(claim(20, -1))).to.equal('NOT_CLAIMABLE');
    expect(posted.refusal(claim(20, 4))).to.equal('NOT_CLAIMABLE');
    const claimed = posted.when(claim(20));
    expect(claimed.types).to.deep.equal(['RouteClaimed', 'RouteDriverAssigned']);
    expect(claimed.then.when(claim(20)).types).to.deep.equal([]);
    expect(claimed.then.refusal(claim(21))).to.equal('ROUTE_CLAIMED');
    expect(given(routes, create()).refusal(claim(20)), 'not posted').to.equal('ROUTE_NOT_FOUND');
  });

  it('has a queue with the length of the posting', () => {
    expect(given(routes, create(), post()).refusal(standby(21))).to.equal('ROUTE_FREE');
    const queued = given(routes, create(), post(), claim(20)).when(standby(21));
    expect([queued.types, queued.reply]).to.deep.equal([['StandbyJoined'], { place: 1 }]);
    expect(queued.then.refusal(standby(22))).to.equal('STANDBY_FULL');
  });

  it('is reserved for the first eligible driver of the queue after a withdrawal', () => {
    const queued = given(routes, create(), post(), claim(20), standby(21));
    const withdrawn = queued.when(withdraw(20, 3, 21));
    expect(withdrawn.types).to.deep.equal(['RouteClaimWithdrawn', 'RouteDriverAssigned', 'StandbyPromoted']);
    expect(withdrawn.facts[0]!.data).to.deep.include({ late: true, next: 21 });
    const confirm = (driverId: number, hours: number) => of({ do: 'confirm', driverId, now: NOW + hours * HOUR });
    expect(withdrawn.then.when(confirm(21, 3)).facts[0]!.data).to.deep.equal({ driver_id: 21, from_standby: true });
    expect(withdrawn.then.refusal(confirm(22, 3))).to.equal('STANDBY_HOLD_OVER');
    expect(withdrawn.then.refusal(confirm(21, 4))).to.equal('STANDBY_HOLD_OVER');
    expect(queued.when(withdraw(20, 1)).types, 'nobody is eligible').to.not.include('StandbyPromoted');
  });

  it('starts with its driver, and finishes once', () => {
    const start = () => of({ do: 'start', now: NOW, driverId: 20 });
    expect(given(routes, create()).refusal(of({ do: 'start', now: NOW }))).to.equal('ROUTE_WITHOUT_DRIVER');
    const started = given(routes, create(), post(), claim(20), start());
    expect(started.when(start()).types).to.deep.equal([]);
    expect(started.refusal(withdraw(20))).to.equal('ROUTE_STARTED');
    const finish = () => of({ do: 'finish', now: NOW });
    expect(given(routes, create(), assign(20)).refusal(finish())).to.equal('ROUTE_NOT_STARTED');
    expect(started.when(finish()).then.when(finish()).types).to.deep.equal([]);
  });
});
