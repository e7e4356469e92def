/** Timelines of numbers that the carriers of a network share (rule N8 of the protocol). */
import { expect } from 'chai';
import fc from 'fast-check';
import { readEvent, type InputEvent } from '../../../src/events/otep/check/event.js';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { livesOf } from '../../../src/events/otep/lives.js';
import { PROFILE, type Timeline } from '../../../src/events/otep/model.js';
import { isS10, networkNumberIn } from '../../../src/events/otep/networks.js';
import { DAY_MS, instantAt } from '../../../src/events/otep/time.js';
import { compareKeys } from '../../../src/events/otep/timeline.js';
import { ANONYMOUS } from '../../../src/api/core/callers.js';
import { changesSince } from '../../../src/projections/trackings/journeys.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { recordSharedNumber, type SharedNumberOptions, type SharedScan } from '../../support/worlds/shared-numbers.js';
import { runs } from '../../support/depth.js';

const NOW = Date.UTC(2026, 10, 28);
const NUMBER = 'RR473124829GB';
const SSCC = '340123450000000185';
const now = instantAt(NOW);
const MEMBERS = { ch: 'upu', de: 'upu', gb: 'upu' } as const;

/** `days`: before now. */
function event(status_code: string, days: number, more: object = {}): InputEvent {
  const occurred_at = new Date(NOW - days * DAY_MS).toISOString();
  const { event, errors } = readEvent({ occurred_at, status_code, ...more }, { path: '', now, profile: PROFILE });
  if (!event) throw new Error(JSON.stringify(errors));
  return event;
}

const scan = (provider: string, status_code: string, days: number, more: object = {}): SharedScan => ({
  provider,
  event: event(status_code, days, more),
});

type More = Partial<SharedNumberOptions>;

const record = (scans: readonly SharedScan[], more: More = {}) =>
  recordSharedNumber({ number: NUMBER, scans, networks: MEMBERS, now: NOW, ...more });

type Document = Timeline & {
  readonly carrier: string;
  readonly carriers?: readonly string[];
  readonly alternatives?: readonly string[];
  readonly life?: number;
  readonly lives?: number;
};

const documentOf = async (scans: readonly SharedScan[], { life, ...more }: More & { readonly life?: number } = {}) =>
  JSON.parse(await (await record(scans, more)).read('otep', life)) as Document;

const eventsOf = ({ events }: Document): string[] =>
  events.map(({ status_code, source }) => `${source!.provider} ${status_code}`);

const ABROAD = [
  scan('gb', 'picked_up', 12),
  scan('de', 'in_transit', 8),
  scan('gb', 'package_outbound', 10),
  scan('de', 'delivered', 5),
];

describe('numbers of networks', () => {
  it('are postal numbers and SSCCs with a valid check digit, in any notation', () => {
    for (const valid of ['RR473124829GB', 'RA123456785CN', 'CP000000005DE']) expect(isS10(valid), valid).to.equal(true);
    expect(isS10('RR473124828GB')).to.equal(false);
    expect(isS10('RR47312482GB')).to.equal(false);
    expect(networkNumberIn(' rr 473-124-829 gb')).to.deep.equal({
      network: 'upu',
      subject: { tracking_number: NUMBER },
    });
    for (const notation of [SSCC, `(00)${SSCC}`, `https://id.gs1.org/00/${SSCC}`])
      expect(networkNumberIn(notation), notation).to.deep.equal({ network: 'gs1', subject: { gs1_sscc: SSCC } });
    expect(networkNumberIn('340123450000000186')).to.equal(undefined);
    expect(networkNumberIn('T1')).to.equal(undefined);
  });
});

describe('the timeline of a number of a network', () => {
  it('has the scans of all members, each with its carrier, and the status of all of them', async () => {
    const document = await documentOf(ABROAD);
    expect(eventsOf(document)).to.deep.equal(['gb picked_up', 'gb package_outbound', 'de in_transit', 'de delivered']);
    expect(document).to.deep.include({
      subject: { tracking_number: NUMBER },
      current_status: 'delivered',
      delivered: true,
      carrier: 'gb',
      alternatives: ['de'],
      carriers: ['gb', 'de'],
    });
    expect(document).to.not.have.any.keys('life', 'lives');
  });

  it('keeps the carrier that an aggregator names, and replaces the provider', async () => {
    const source = { carrier: 'usps', provider: 'gb', name: 'Depot' };
    const { events } = await documentOf([...ABROAD, scan('de', 'received', 9, { source })]);
    expect(events.find(({ status_code }) => status_code === 'received')!.source).to.deep.equal({
      type: 'carrier',
      carrier: 'usps',
      name: 'Depot',
      provider: 'de',
    });
  });

  it('is that of one carrier without a network, a valid check digit, or a second member', async () => {
    const alone = async (more: More) => {
      const document = await documentOf(ABROAD, more);
      expect(document).to.not.have.property('carriers');
      expect(document).to.deep.include({ carrier: 'gb', alternatives: ['de'], current_status: 'package_outbound' });
    };
    await alone({ networks: {} });
    await alone({ networks: { gb: 'upu' } });
    await alone({ networks: { gb: 'gs1', de: 'gs1' } });
    await alone({ networks: { gb: 'upu', de: 'gs1' } });
    await alone({ number: 'RR473124828GB' });
  });

  it('of a carrier that the caller names is that of this carrier', async () => {
    const { reader } = await record(ABROAD);
    for (const carrier of ['gb', 'de']) {
      const found = await reader.find(NUMBER, { carrier }, ANONYMOUS);
      const { journey } = await reader.journey(found, ANONYMOUS);
      expect(journey.carrierMatch).to.not.have.property('carriers');
      expect(journey.timeline.events).to.have.length(2);
      expect(journey.timeline.events[0]!.source).to.not.have.property('provider');
    }
  });

  it('never has scans of a stranger, also if it scanned first', async () => {
    const stranger = [scan('other', 'picked_up', 13), scan('other', 'delivered', 11), scan('other', 'cancelled', 1)];
    const { alternatives: _none, ...expected } = await documentOf(ABROAD);
    for (const scans of [
      [...stranger, ...ABROAD],
      [...ABROAD, ...stranger],
    ]) {
      const { alternatives, ...document } = await documentOf(scans);
      expect(document).to.deep.equal(expected);
      expect(alternatives).to.deep.equal(['de', 'other']);
    }
    const single = { networks: { de: 'upu' } } as const;
    expect(await documentOf([...stranger, ...ABROAD.slice(1)], single)).to.include({ carrier: 'de' });
  });

  it('shows the latest life of all members, and counts their lives', async () => {
    const scans = [scan('gb', 'picked_up', 402), scan('de', 'delivered', 400), ...ABROAD, scan('ch', 'received', 401)];
    expect(await documentOf(scans)).to.deep.include({ life: 2, lives: 2, carriers: ['gb', 'de'] });
    const first = await documentOf(scans, { life: 1 });
    expect(first).to.deep.include({ life: 1, lives: 2, carriers: ['gb', 'ch', 'de'], current_status: 'delivered' });
    expect(first.alternatives).to.deep.equal(['ch', 'de']);
  });

  it('merges lives with a gap of at most 120 days, as the scans of one carrier', async () => {
    const lives = async (days: number) =>
      (await documentOf([scan('gb', 'in_transit', 200), scan('de', 'in_transit', 200 - days)])).lives ?? 1;
    expect(await lives(120)).to.equal(1);
    expect(await lives(120.1)).to.equal(2);
  });

  it('gives each event its own id if two members use the same one', async () => {
    const own = { event_id: 'urn:example:1' };
    const scans = [scan('gb', 'picked_up', 3, own), scan('de', 'received', 2, own)];
    const document = await documentOf(scans);
    expect(new Set(document.events.map(({ event_id }) => event_id)).size).to.equal(2);
    expect(await documentOf(scans.toReversed())).to.deep.equal(document);
  });

  it('has no scan that its carrier retracted, and keeps one of another carrier with the same id', async () => {
    const own = { event_id: 'urn:example:1' };
    const scans = [scan('gb', 'picked_up', 3, own), scan('de', 'received', 2, own)];
    const { event: retraction } = readEvent(
      { occurred_at: new Date(NOW).toISOString(), retracts: own.event_id },
      { path: '', now, profile: PROFILE },
    );
    const retracted = [...scans, { provider: 'gb', event: retraction! }];
    expect(eventsOf(await documentOf(retracted))).to.deep.equal(['de received']);
    const { reader } = await record(retracted);
    const { life, journey } = await reader.journey(await reader.find(NUMBER, {}, ANONYMOUS), ANONYMOUS);
    const [change, ...others] = changesSince(life, life.revision - 1, journey);
    expect(change!.event).to.include({ retracts: `urn:uuid:${life.events.find((one) => one.carrier === 'gb')!.id}` });
    expect(others).to.deep.equal([]);
  });

  it('of an SSCC has the lives in which the number of a member named it', async () => {
    const scans = [scan('gb', 'picked_up', 12), scan('de', 'in_transit', 8)];
    const document = await documentOf(scans, {
      number: SSCC,
      networks: { gb: 'gs1', de: 'gs1' },
      subjectOf: (provider) => (provider === 'gb' ? { tracking_number: 'GB1', gs1_sscc: SSCC } : { gs1_sscc: SSCC }),
    });
    expect(eventsOf(document)).to.deep.equal(['gb picked_up', 'de in_transit']);
    expect(document.subject).to.deep.equal({ gs1_sscc: SSCC });
  });

  it('gives readers that poll each further event of any member once', async () => {
    for (let count = 2; count < ABROAD.length; count += 1) {
      const revisionOf = async (scans: readonly SharedScan[]) => {
        const { reader } = await record(scans);
        return reader.journey(await reader.find(NUMBER, {}, ANONYMOUS), ANONYMOUS);
      };
      const before = await revisionOf(ABROAD.slice(0, count));
      const { life, journey } = await revisionOf(ABROAD.slice(0, count + 1));
      const changes = changesSince(life, before.life.revision, journey);
      expect(changes.map((change) => change.event)).to.have.length(1);
      expect(life.revision).to.be.greaterThan(before.life.revision);
    }
  });

  it('depends on the scans of the members alone, in every format (N4, N8)', async () => {
    const anyScan = fc
      .record({
        provider: fc.constantFrom('ch', 'de', 'gb', 'other'),
        code: fc.constantFrom(...STATUS_CODES.map(({ code }) => code)),
        days: fc.integer({ min: 0, max: 730 }),
        id: fc.constantFrom(undefined, undefined, 'urn:example:1', 'urn:example:2'),
      })
      .map(({ provider, code, days, id }) => scan(provider, code, days, id === undefined ? {} : { event_id: id }));
    const scans = fc.uniqueArray(anyScan, { minLength: 2, maxLength: 10, selector: identityOf }).filter((list) => {
      const members = new Set(list.flatMap(({ provider }) => (provider === 'other' ? [] : [provider])));
      return members.size > 1;
    });
    await fc.assert(
      fc.asyncProperty(
        scans.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        async ([list, order]) => {
          const [one, other] = [await record(list), await record(order)];
          const own = list.filter(({ provider }) => provider !== 'other');
          const alone = await record(own);
          const expected = JSON.parse(await alone.read()) as Document;
          const count = expected.lives ?? 1;
          expect(count).to.equal(livesOf(sortKeys(own)).length);
          for (const life of [undefined, ...Array.from({ length: count }, (_, index) => index + 1)]) {
            for (const { name } of FORMATS)
              expect(await other.read(name, life), name).to.equal(await one.read(name, life));
            const { alternatives: _with, ...read } = JSON.parse(await other.read('otep', life)) as Document;
            const { alternatives: _without, ...without } = JSON.parse(await alone.read('otep', life)) as Document;
            expect(read).to.deep.equal(without);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

/** Two scans of one provider with one id, or with one time and status, are one scan. */
const identityOf = ({ provider, event: { eventId, instant, statusCode } }: SharedScan): string =>
  `${provider} ${eventId ?? `${instant} ${statusCode}`}`;

const sortKeys = (scans: readonly SharedScan[]) =>
  scans
    .map(({ event: { instant, statusCode, eventId } }) => ({
      instant,
      status_code: statusCode!,
      event_id: eventId ?? '',
    }))
    .sort(compareKeys);
