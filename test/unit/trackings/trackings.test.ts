import { expect } from 'chai';
import { trackings } from '../../../src/commands/trackings/decider.js';
import type { Opening, Outcome, Pushed, TrackingCommand } from '../../../src/commands/trackings/command.js';
import type { RecordedScan, Retraction } from '../../../src/events/trackings/events.js';
import { instantAt } from '../../../src/events/otep/time.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { given } from '../../support/checks/given.js';

const ID = derivedId('test', 'tracking');
const START = Date.UTC(2026, 0, 1);
const opening: Opening = { owner: { kind: 'provider', id: 'acme' }, number: 'N1', generation: 0, profile: 'parcel' };
const ofBusiness: Opening = { ...opening, owner: { kind: 'business', id: 'shop' } };

const scan = (event_id: string, status_code = 'in_transit', at = START, more: Partial<RecordedScan> = {}): Pushed => ({
  scan: {
    event_id,
    provider: 'acme',
    otep_version: '0.1',
    occurred_at: new Date(at).toISOString(),
    instant: instantAt(at),
    status_code,
    ...more,
  },
});
const retraction = (event_id: string, retracts: string, provider = 'acme') => ({
  retraction: { event_id, provider, retracts, occurred_at: new Date(START).toISOString() } satisfies Retraction,
});
const push = (
  pushed: readonly Pushed[],
  more: Partial<Extract<TrackingCommand, { kind: 'push' }>> = {},
): TrackingCommand => ({
  kind: 'push',
  id: ID,
  provider: 'acme',
  subject: { tracking_number: 'N1' },
  pushed,
  opening,
  ...more,
});
const open = (writers: readonly string[]): TrackingCommand => ({
  kind: 'open',
  id: ID,
  subject: { tracking_number: 'N1' },
  opening: ofBusiness,
  writers,
});
const codes = (reply: readonly Outcome[]): string[] => reply.map((one) => ('code' in one ? one.code : one.outcome));

describe('commands to a tracking', () => {
  describe('given no events', () => {
    it('a push opens it and records its scans', () => {
      const { types, facts, reply } = given(trackings).when(push([scan('e1'), scan('e2')]));
      expect(types).to.deep.equal(['TrackingOpened', 'TrackingEventRecorded', 'TrackingEventRecorded']);
      expect(facts[0]!.data).to.deep.equal({ ...opening, subject: { tracking_number: 'N1' } });
      expect(codes(reply)).to.deep.equal(['accepted', 'accepted']);
    });

    it('a push that cannot open it finds no tracking', () => {
      const { opening: _none, ...closed } = push([scan('e1')]) as Extract<TrackingCommand, { kind: 'push' }>;
      const { facts, reply } = given(trackings).when(closed);
      expect(facts).to.deep.equal([]);
      expect(codes(reply)).to.deep.equal(['UNKNOWN_SHIPMENT']);
    });

    it('an empty push opens nothing', () => {
      expect(given(trackings).when(push([])).facts).to.deep.equal([]);
    });

    it('a business opens it for its writers once', () => {
      const opened = given(trackings).when(open(['acme', 'beta']));
      expect(opened.types).to.deep.equal(['TrackingOpened', 'TrackingWriterGranted', 'TrackingWriterGranted']);
      expect(opened.then.when(open(['acme'])).facts).to.deep.equal([]);
    });
  });

  describe('given scans', () => {
    const one = given(trackings, push([scan('e1', 'picked_up', START, { fingerprint: 'f1' }), scan('e2')]));

    it('the same scans are duplicates, also twice in one push', () => {
      const { types, reply } = one.when(
        push([scan('e2'), scan('e3'), scan('e1', 'picked_up', START, { fingerprint: 'f1' }), scan('e3')]),
      );
      expect(types).to.deep.equal(['TrackingEventRecorded']);
      expect(codes(reply)).to.deep.equal(['duplicate', 'accepted', 'duplicate', 'duplicate']);
    });

    it('an id with other content, or of another provider, is rejected', () => {
      expect(codes(one.when(push([scan('e1', 'picked_up', START, { fingerprint: 'f2' })])).reply)).to.deep.equal([
        'EVENT_ID_REUSED',
      ]);
      const both = given(trackings, open(['acme', 'beta']), push([scan('e1')]));
      expect(
        codes(both.when(push([scan('e1', 'in_transit', START, { provider: 'beta' })], { provider: 'beta' })).reply),
      ).to.deep.equal(['EVENT_ID_REUSED']);
    });

    it('the same command gives the same event ids, another tracking other ones', () => {
      const first = given(trackings).when(push([scan('e1')]));
      expect(given(trackings).when(push([scan('e1')])).ids).to.deep.equal(first.ids);
      const elsewhere = given(trackings).when(push([scan('e1')], { id: derivedId('test', 'other') }));
      expect(elsewhere.ids.filter((id) => first.ids.includes(id))).to.deep.equal([]);
    });

    it('a scan and a retraction may share an id', () => {
      const { reply } = one.when(push([retraction('e1', 'e2')]));
      expect(codes(reply)).to.deep.equal(['accepted']);
    });

    it('decides the same each time: the state is unchanged', () => {
      const state = one.past.reduce(
        (state, { type, id, data }) => trackings.evolve(state, { type: type.type, id, data: data as never }),
        trackings.initial(),
      );
      const command = push([scan('e7'), retraction('r7', 'e1')]);
      expect(trackings.decide(state, command)).to.deep.equal(trackings.decide(state, command));
    });

    it('new identifiers are added, and the owner changes known ones', () => {
      const more = one.when(push([scan('e3')], { subject: { tracking_number: 'OTHER', order_id: 'O1' } }));
      expect(more.facts.at(-1)).to.deep.equal({ type: 'TrackingIdentified', data: { subject: { order_id: 'O1' } } });
      expect(
        more.then.when(push([scan('e4')], { subject: { order_id: 'O2', gs1_sscc: 'S' } })).facts.at(-1)!.data,
      ).to.deep.equal({ subject: { order_id: 'O2', gs1_sscc: 'S' } });
      const both = given(trackings, open(['acme']), push([scan('e1')], { subject: { order_id: 'O1' } }));
      expect(
        both.when(push([scan('e2')], { subject: { order_id: 'O2', piece_id: 'P' } })).facts.at(-1)!.data,
        'a provider with access',
      ).to.deep.equal({ subject: { piece_id: 'P' } });
      expect(
        more.then.when(push([scan('e3')], { subject: { piece_id: 'P' } })).facts,
        'duplicates say nothing new',
      ).to.deep.equal([]);
    });
  });

  describe('given a retraction', () => {
    it('of a scan of the same provider is recorded once', () => {
      const { then } = given(trackings, push([scan('e1')])).when(push([retraction('r1', 'e1')]));
      expect(codes(then.when(push([retraction('r1', 'e1')])).reply)).to.deep.equal(['duplicate']);
    });

    it("of another provider's scan is rejected", () => {
      const both = given(trackings, open(['acme', 'beta']), push([scan('e1')]));
      const { facts, reply } = both.when(push([retraction('r1', 'e1', 'beta')], { provider: 'beta' }));
      expect([facts, codes(reply)]).to.deep.equal([[], ['NOT_YOUR_EVENT']]);
    });

    it('an event that records and retracts may be partly known', () => {
      const { types, reply } = given(trackings, push([scan('e1'), scan('e2')])).when(
        push([{ ...scan('e2'), ...retraction('e2', 'e1') }]),
      );
      expect([types, codes(reply)]).to.deep.equal([['TrackingEventRetracted'], ['accepted']]);
    });

    it('one event may record and retract', () => {
      const { types, reply } = given(trackings, push([scan('e1')])).when(
        push([{ ...scan('e2'), ...retraction('e2', 'e1') }]),
      );
      expect(types).to.deep.equal(['TrackingEventRecorded', 'TrackingEventRetracted']);
      expect(codes(reply)).to.deep.equal(['accepted']);
    });
  });

  describe('given writers', () => {
    it('only the owner and the granted writers may write, while they are granted', () => {
      const mine = given(trackings, push([scan('e1')]));
      expect(codes(mine.when(push([scan('e2')], { provider: 'beta' })).reply)).to.deep.equal(['NOT_YOUR_SHIPMENT']);
      const granted = mine.when({ kind: 'grant', id: ID, provider: 'beta' });
      expect(granted.types).to.deep.equal(['TrackingWriterGranted']);
      expect(
        codes(
          granted.then.when(push([scan('e2', 'in_transit', START, { provider: 'beta' })], { provider: 'beta' })).reply,
        ),
      ).to.deep.equal(['accepted']);
      const revoked = granted.then.when({ kind: 'revoke', id: ID, provider: 'beta' });
      expect(codes(revoked.then.when(push([scan('e2')], { provider: 'beta' })).reply)).to.deep.equal([
        'NOT_YOUR_SHIPMENT',
      ]);
      const refused = granted.then.when({ kind: 'revoke', id: ID, provider: 'beta', refusesAll: true });
      const early = scan('e3', 'in_transit', START, { provider: 'beta' });
      expect(codes(refused.then.when(push([early], { provider: 'beta' })).reply), 'from before').to.deep.equal([
        'NOT_YOUR_SHIPMENT',
      ]);
      expect(refused.facts[0]!.data).to.deep.equal({ provider: 'beta', refuses_all: true });
    });

    it('each grant and revocation is one event, repetitions record nothing', () => {
      const commands = (['grant', 'revoke', 'grant', 'revoke'] as const).map((kind): TrackingCommand => ({
        kind,
        id: ID,
        provider: 'beta',
      }));
      const { past } = given(trackings, push([scan('e1')]), ...commands.flatMap((command) => [command, command]));
      expect(past.map(({ type }) => type.type).slice(2)).to.deep.equal([
        'TrackingWriterGranted',
        'TrackingWriterRevoked',
        'TrackingWriterGranted',
        'TrackingWriterRevoked',
      ]);
      expect(new Set(past.map(({ id }) => id)).size).to.equal(past.length);
    });
  });

  describe('given trackings of earlier versions, which divided the scans of a number', () => {
    const known = given(trackings, push([scan('e1', 'delivered')]));

    it('an earlier tracking processes only the scans that it contains', () => {
      const { types, reply } = known.when(
        push([scan('e1', 'delivered'), scan('e2'), retraction('r1', 'e1'), retraction('r2', 'e2')], {
          onlyKnown: true,
        }),
      );
      expect(codes(reply)).to.deep.equal(['duplicate', 'unknown_here', 'accepted', 'unknown_here']);
      expect(types).to.deep.equal(['TrackingEventRetracted']);
    });
  });
});
