/**
 * How a tracking handles pushes that follow from a capture or a status (given earlier events, when a push, then
 * events).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { instantAt } from '../../../src/events/otep/time.js';
import type { RecordedScan } from '../../../src/events/trackings/events.js';
import { scanWithSameStatus, wasInHand, type SeenScan } from '../../../src/commands/trackings/scan-rules.js';
import { trackings } from '../../../src/commands/trackings/decider.js';
import type { Outcome, Pushed, TrackingCommand } from '../../../src/commands/trackings/command.js';
import type { TrackingState } from '../../../src/commands/trackings/state.js';

const at = (hour: number) => instantAt(Date.UTC(2026, 2, 1, hour));
const scan = (event_id: string, status_code: string, hour: number, more: Partial<RecordedScan> = {}): Pushed => ({
  scan: {
    event_id,
    provider: 'p',
    otep_version: '0.1',
    occurred_at: at(hour),
    instant: at(hour),
    status_code,
    ...more,
  },
});
const OPENING = { owner: { kind: 'provider', id: 'p' }, number: 'T1', generation: 0, profile: 'parcel' } as const;
const push = (pushed: readonly Pushed[], more: object = {}): TrackingCommand => ({
  kind: 'push',
  id: 't',
  provider: 'p',
  subject: { tracking_number: 'T1' },
  pushed,
  opening: OPENING,
  ...more,
});

/** Applies the `given` commands, then decides the next command. */
function when(
  given: readonly TrackingCommand[],
  command: TrackingCommand,
): { reply: readonly Outcome[]; facts: { type: string; data: Record<string, unknown> }[] } {
  const apply = (state: TrackingState, one: TrackingCommand) =>
    trackings
      .decide(state, one)
      .facts.reduce(
        (now, { id, type, data }) => trackings.evolve(now, { id, type: type.type, data: data as never }),
        state,
      );
  const { reply, facts } = trackings.decide(given.reduce(apply, trackings.initial()), command);
  return { reply, facts: facts.map(({ type, data }) => ({ type: type.type, data: data as Record<string, unknown> })) };
}

describe('a push that was accepted as part of a whole', () => {
  const first = push([scan('e', 'received', 8, { fingerprint: 'one' })]);
  const other = scan('e', 'delivered', 9, { fingerprint: 'two' });

  it('records an event whose id now belongs to another event once, under a separate id', () => {
    expect(when([first], push([other])).reply).to.deep.equal([{ outcome: 'rejected', code: 'EVENT_ID_REUSED' }]);
    const { reply, facts } = when([first], push([other], { admitted: true }));
    const [own] = facts;
    expect(reply).to.deep.equal([{ outcome: 'accepted', event_id: own!.data['event_id'] }]);
    expect(own!.data['event_id']).to.not.equal('e');
    const again = when([first, push([other], { admitted: true })], push([other], { admitted: true }));
    expect([again.facts, again.reply[0]!.outcome]).to.deep.equal([[], 'duplicate']);
  });

  it('is written even if the permission to write was revoked', () => {
    const given: TrackingCommand[] = [
      {
        kind: 'open',
        id: 't',
        subject: {},
        opening: { ...OPENING, owner: { kind: 'business', id: 'b' } },
        writers: ['p'],
      },
      { kind: 'revoke', id: 't', provider: 'p' },
    ];
    expect(when(given, push([other])).reply[0]).to.include({ code: 'NOT_YOUR_SHIPMENT' });
    expect(when(given, push([other], { admitted: true })).reply).to.deep.equal([{ outcome: 'accepted' }]);
  });

  it('records a retraction of an event that belongs to another provider, without effect', () => {
    const retraction: Pushed = { retraction: { event_id: 'r', provider: 'p', retracts: 'x', occurred_at: at(9) } };
    const given: TrackingCommand[] = [
      {
        kind: 'open',
        id: 't',
        subject: {},
        opening: { ...OPENING, owner: { kind: 'business', id: 'b' } },
        writers: ['p', 'q'],
      },
      { ...(push([scan('x', 'received', 8, { provider: 'q' })]) as object), provider: 'q' } as TrackingCommand,
    ];
    expect(when(given, push([retraction])).reply[0]).to.include({ code: 'NOT_YOUR_EVENT' });
    expect(when(given, push([retraction], { admitted: true })).facts.map(({ type }) => type)).to.deep.equal([
      'TrackingEventRetracted',
    ]);
  });
});

describe('retraction of a scan', () => {
  const given = push([scan('e', 'received', 8, { cbv_hash: 'ni:///h' })]);
  const retraction = (event_id: string, retracts: string, hash?: string, former = 'ni:///former'): Pushed => ({
    retraction: { event_id, provider: 'p', retracts, occurred_at: at(9) },
    ...(hash !== undefined && { hashes: { given: hash, earlier: hash, former, foreign: [] } }),
  });

  it('by its hash, and by no other', () => {
    expect(when([given], push([retraction('ni:///h', 'ni:///h', 'ni:///h')])).facts[0]!.data).to.include({
      retracts: 'e',
    });
    expect(when([given], push([retraction('ni:///x', 'ni:///x', 'ni:///x')])).facts[0]!.data).to.include({
      retracts: 'ni:///x',
    });
  });

  it('by the hash of earlier rules, if that is the recorded one', () => {
    for (const old of [scan('e', 'received', 8, { event_hash: 'ni:///former' }), scan('ni:///former', 'received', 8)]) {
      const { facts } = when([push([old])], push([retraction('ni:///h', 'ni:///h', 'ni:///h')]));
      expect(facts[0]!.data).to.include({ retracts: old.scan!.event_id });
    }
  });

  it('once, under any id', () => {
    expect(when([given, push([retraction('r1', 'e')])], push([retraction('r2', 'e')])).reply).to.deep.equal([
      { outcome: 'duplicate' },
    ]);
  });
});

describe('event of another system', () => {
  const hashes = { given: 'ni:///now', earlier: 'ni:///earlier', former: 'ni:///former', foreign: ['ni:///theirs'] };
  const event = (id: string): Pushed => ({ ...scan(id, 'received', 8, { cbv_hash: hashes.given }), hashes });
  const replyTo = (before: Pushed, id: string) => when([push([before])], push([event(id)])).reply[0];

  it('that was recorded with a hash of earlier rules is a duplicate', () => {
    expect(replyTo(scan('ni:///former', 'received', 8), 'ni:///now')).to.include({ outcome: 'duplicate' });
    expect(replyTo(scan('e', 'received', 8, { event_hash: 'ni:///former' }), 'e')).to.include({ outcome: 'duplicate' });
    expect(replyTo(scan('e', 'received', 8, { event_hash: 'ni:///other' }), 'e')).to.include({
      code: 'EVENT_ID_REUSED',
    });
  });

  it('that was recorded before the layout of CBV 2.0 is a duplicate, under its hash and under its own id', () => {
    const recorded = { cbv_hash: 'ni:///earlier' };
    expect(replyTo(scan('ni:///earlier', 'received', 8, recorded), 'ni:///now')).to.include({ outcome: 'duplicate' });
    expect(replyTo(scan('e', 'received', 8, recorded), 'e')).to.include({ outcome: 'duplicate' });
    expect(replyTo(scan('e', 'received', 8, { cbv_hash: 'ni:///other' }), 'e')).to.include({ code: 'EVENT_ID_REUSED' });
  });

  it('that hashes to an earlier one by outdated rules is another event', () => {
    const plain = scan('ni:///former', 'received', 8, { cbv_hash: 'ni:///former' });
    expect(replyTo(plain, 'ni:///now')).to.include({ outcome: 'accepted' });
  });
});

describe('first custody', () => {
  const accepting = (id: string, hour: number): Pushed => ({ ...scan(id, 'picked_up', hour), rule: 'first_custody' });
  const recordedStatus = (given: readonly Pushed[], one: Pushed) =>
    when(given.length > 0 ? [push(given)] : [], push([one])).facts.find(({ type }) => type === 'TrackingEventRecorded')
      ?.data['status_code'];

  it('is the first time that the parcel is in hand, by the times of the events', () => {
    expect(recordedStatus([], accepting('a', 8))).to.equal('picked_up');
    expect(recordedStatus([scan('x', 'information_submitted', 7)], accepting('a', 8))).to.equal('picked_up');
    expect(recordedStatus([scan('x', 'received', 7)], accepting('a', 8))).to.equal('in_transit');
    expect(recordedStatus([scan('x', 'received', 9)], accepting('a', 8))).to.equal('picked_up');
  });

  it('is not undone by later events, and not repeated', () => {
    const { reply, facts } = when([push([scan('x', 'received', 7), accepting('a', 8)])], push([accepting('a', 8)]));
    expect([reply, facts]).to.deep.equal([[{ outcome: 'duplicate' }], []]);
  });

  it('ignores retracted events', () => {
    const given = [
      push([scan('x', 'received', 7)]),
      push([{ retraction: { event_id: 'r', provider: 'p', retracts: 'x', occurred_at: at(9) } }]),
    ];
    expect(when(given, push([accepting('a', 8)])).facts[0]!.data).to.include({ status_code: 'picked_up' });
  });
});

describe('a status', () => {
  const seen = fc
    .record({
      eventId: fc.uuid(),
      instant: fc.integer({ min: 0, max: 9 }).map(at),
      status: fc.constantFrom('in_transit', 'received', 'delivered', 'x-weighed'),
    })
    .map((one): SeenScan => ({ ...one, moves: one.status !== 'x-weighed' }));

  it('that was just recorded is a duplicate, whatever the tracking had seen', () => {
    fc.assert(
      fc.property(
        fc.array(seen, { maxLength: 8 }),
        fc.constantFrom('in_transit', 'received', 'x-weighed'),
        (scans, status_code) => {
          const instant = at(10);
          const recorded: SeenScan = {
            eventId: 'new',
            instant,
            status: status_code,
            moves: status_code !== 'x-weighed',
          };
          expect(scanWithSameStatus({ status_code, instant: at(11) }, [...scans, recorded])?.status).to.equal(
            status_code,
          );
        },
      ),
    );
  });

  it('is recorded if no event has it', () => {
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 8 }), (scans) => {
        expect(scanWithSameStatus({ status_code: 'out_for_delivery', instant: at(11) }, scans)).to.equal(undefined);
        expect(wasInHand(scans, at(0))).to.equal(false);
      }),
    );
  });
});

describe('an event that was kept for its unknown code', () => {
  const kept = push([scan('e', 'x-unmapped', 8, { raw: { code: 'ZZ' }, fingerprint: 'one' })]);
  const mapped = push([scan('e', 'delivered', 8, { raw: { code: 'ZZ' }, fingerprint: 'one' })]);

  it('is stored, and is a duplicate when it is sent again', () => {
    const { reply, facts } = when([], kept);
    expect(reply).to.deep.equal([{ outcome: 'accepted' }]);
    expect(facts.map(({ type }) => type)).to.deep.equal(['TrackingOpened', 'TrackingEventKept']);
    expect(when([kept], kept)).to.deep.equal({ reply: [{ outcome: 'duplicate' }], facts: [] });
  });

  it('is mapped once', () => {
    const { reply, facts } = when([kept], mapped);
    expect(reply).to.deep.equal([{ outcome: 'accepted' }]);
    expect(facts.map(({ type, data }) => [type, data['status_code']])).to.deep.equal([
      ['TrackingEventMapped', 'delivered'],
    ]);
    expect(when([kept, mapped], mapped)).to.deep.equal({ reply: [{ outcome: 'duplicate' }], facts: [] });
    expect(when([kept, mapped], kept)).to.deep.equal({ reply: [{ outcome: 'duplicate' }], facts: [] });
    const [event] = (mapped as { readonly pushed: readonly Pushed[] }).pushed;
    expect(when([kept], push([event!, event!])).facts).to.have.length(1);
  });

  it('is not mapped by another provider', () => {
    const foreign = push([scan('e', 'delivered', 8, { provider: 'q' })], { provider: 'q', admitted: true });
    expect(when([kept], foreign).facts.map(({ type }) => type)).not.to.include('TrackingEventMapped');
  });
});
