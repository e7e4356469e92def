/** Drivers: no overlapping reservations, daily caps, and documents that another person verifies. */
import { expect } from 'chai';
import { drivers, type DriverCommand } from '../../../src/commands/drivers/decider.js';
import { reserveAssigned, routeOf } from '../../../src/commands/drivers/time.js';
import { documentTimer } from '../../../src/events/drivers/profile-and-documents.js';
import type { Expire } from '../../../src/events/core/timers.js';
import { given } from '../../support/checks/given.js';

type CommandBody<C> = C extends unknown ? Omit<C, 'commandId' | 'userId' | 'business'> : never;
const NOW = Date.parse('2026-03-01T10:00:00Z');
let commands = 0;
const of = (body: CommandBody<DriverCommand>, commandId = `command ${(commands += 1)}`): DriverCommand =>
  ({ ...body, commandId, userId: 9, business: 1 }) as DriverCommand;
const at = (hour: number) => new Date(NOW + hour * 3_600_000).toISOString();
const claim = (route: number, from: number, to: number, maxRoutes = 2) =>
  of({
    do: 'reserve',
    most: maxRoutes,
    reservation: { what: routeOf(route), from: at(from), to: at(to), units: 1, date: '2026-03-01' },
  });
const release = (what: string, why = 'not_claimed') => of({ do: 'release', what, why, now: NOW });

describe("a driver's time", () => {
  it('is reserved for one thing at a time', () => {
    const busy = given(drivers, claim(1, 0, 2));
    expect(busy.refusal(claim(2, 1, 3))).to.equal('TIME_TAKEN');
    expect(busy.when(claim(2, 2, 3)).types, 'from its end on').to.deep.equal(['DriverTimeReserved']);
    expect(busy.when(claim(1, 0, 2)).types, 'the same again').to.deep.equal([]);
  });

  it('has a cap on claimed routes per day, not on assigned ones', () => {
    const full = given(drivers, claim(1, 0, 1), claim(2, 1, 2));
    expect(full.refusal(claim(3, 2, 3))).to.equal('NOT_CLAIMABLE');
    const span = { from: NOW + 7_200_000, to: NOW + 9_000_000 };
    const assigned = full.when(of(reserveAssigned(3, span, '2026-03-01')));
    expect(assigned.types).to.deep.equal(['DriverTimeReserved']);
    const moved = { from: span.from + 60_000, to: span.to };
    expect(assigned.then.when(of(reserveAssigned(3, moved, '2026-03-01'))).types, 'it moves').to.have.length(1);
  });

  it('is released once, and reserved again by a retry of the same command', () => {
    const command = claim(1, 0, 1);
    const released = given(drivers, command, release(routeOf(1)));
    expect(released.when(release(routeOf(1))).types).to.deep.equal([]);
    expect(released.when(command).types).to.deep.equal(['DriverTimeReserved']);
  });
});

describe('a rider', () => {
  const grant = () => of({ do: 'grant', grant: { max_concurrent: 2 } });
  const online = () => of({ do: 'goOnline', routeId: 4, date: '2026-03-01', now: NOW });
  const offer = (order: number) =>
    of({
      do: 'reserve',
      now: NOW,
      reservation: {
        what: `instant:${order}`,
        from: at(0),
        to: at(1),
        units: 1,
        date: '2026-03-01',
        offer_until: at(0.1),
      },
    });

  it('goes online with a grant, and offline when the grant ends', () => {
    expect(given(drivers).refusal(online())).to.equal('INSTANT_NOT_GRANTED');
    const onDuty = given(drivers, grant(), online());
    expect(onDuty.when(online()).types, 'again').to.deep.equal([]);
    expect(onDuty.when(of({ do: 'revoke', now: NOW })).types).to.deep.equal(['RiderWentOffline', 'InstantRevoked']);
  });

  it('has one open offer at a time, while online', () => {
    expect(given(drivers, grant()).refusal(offer(1)), 'offline').to.equal('NOT_CLAIMABLE');
    const offered = given(drivers, grant(), online(), offer(1));
    expect(offered.refusal(offer(2))).to.equal('NOT_CLAIMABLE');
  });

  it('goes offline after three offers without a response', () => {
    const lapse = (order: number) => [offer(order), release(`instant:${order}`, 'lapsed')];
    const two = given(drivers, grant(), online(), ...lapse(1), ...lapse(2), offer(3));
    expect(two.when(release('instant:3', 'lapsed')).types).to.deep.equal(['DriverTimeReleased', 'RiderWentOffline']);
    expect(two.when(release('instant:3', 'declined')).types).to.deep.equal(['DriverTimeReleased']);
  });
});

describe('documents of a driver', () => {
  const submit = (document_id: string) =>
    of({
      do: 'submitDocument',
      by: 9,
      document: { document_id, kind: 'driving_licence', valid_until: '2026-03-25', file_ids: [] },
    });
  const verify = (documentId: string, by = 5) => of({ do: 'verifyDocument', documentId, by });
  const reject = (documentId: string, by = 5) => of({ do: 'rejectDocument', documentId, by });

  it('are verified by another person, and replace the previous one of their kind', () => {
    const submitted = given(drivers, submit('d1'));
    expect(submitted.refusal(verify('d1', 9))).to.equal('OWN_DOCUMENT');
    expect(submitted.refusal(verify('d2'))).to.equal('DOCUMENT_NOT_FOUND');
    const two = given(drivers, submit('d1'), verify('d1'), submit('d2'));
    expect(two.when(verify('d1')).types, 'verified already').to.deep.equal([]);
    expect(two.when(verify('d2')).facts[0]!.data).to.deep.include({ replaces: ['d1'] });
    expect(two.refusal(reject('d1'))).to.equal('DOCUMENT_DECIDED');
  });

  it('are reported before they expire, once for each step', () => {
    const due = (now: number): Expire => {
      const [stream, name] = ['driver-9', documentTimer('d1')];
      return { do: 'expire', stream, name, at: now, now, commandId: `command ${(commands += 1)}` };
    };
    const verified = given<ReturnType<typeof drivers.initial>, DriverCommand | Expire, undefined>(
      drivers,
      submit('d1'),
      verify('d1'),
    );
    const first = verified.when(due(NOW));
    expect(first.facts[0]!.data).to.deep.include({ document_id: 'd1', days: 30 });
    expect(first.then.when(due(NOW + 1)).types).to.deep.equal([]);
    expect(first.then.when(due(Date.parse('2026-03-19T00:00:00Z'))).facts[0]!.data).to.deep.include({ days: 7 });
  });
});
