/** Results of the readers: events for ingest, subjects, levels of documents, the country list. */
import { expect } from 'chai';
import { checkDocument } from '../../../src/events/otep/check/document.js';
import { readTimeline } from '../../../src/events/otep/check/envelope.js';
import { readEvent } from '../../../src/events/otep/check/event.js';
import { levelOf } from '../../../src/events/otep/check/level.js';
import { readSubject } from '../../../src/events/otep/check/subject.js';
import { statusCode } from '../../../src/events/otep/codes.js';
import { alpha3, isCountry } from '../../../src/events/otep/countries.js';
import { instantOf } from '../../../src/events/otep/time.js';

const NOW = instantOf('2026-06-01T12:00:00Z')!;
const options = { path: '/events/3', now: NOW, profile: 'parcel' };
const base = { occurred_at: '2026-01-01T09:00:00.5+01:00', source: { type: 'carrier' } };

describe('readEvent', () => {
  it('returns plain data in a fixed order, whatever the order of the input', () => {
    const { event, errors, warnings } = readEvent(
      {
        'x-t': { b: 1 },
        location: { country: 'DE', name: 'Hub' },
        status_code: 'received',
        unknown: 1,
        recorded_at: '2026-01-01T08:00:01Z',
        ...base,
        event_id: 'URN:UUID:3F2504E0-4F89-41D3-9A0C-0305E82C3301',
      },
      options,
    );
    expect(errors).to.deep.equal([]);
    expect(warnings.map(({ code, path }) => [code, path])).to.deep.equal([['UNKNOWN_FIELD', '/events/3/unknown']]);
    expect(JSON.stringify(event)).to.equal(
      JSON.stringify({
        occurredAt: '2026-01-01T09:00:00.5+01:00',
        instant: '2026-01-01T08:00:00.500000000Z',
        statusFromRaw: false,
        extensions: { 'x-t': { b: 1 } },
        eventId: 'urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        statusCode: 'received',
        location: { name: 'Hub', country: 'DE' },
        source: { type: 'carrier' },
        recordedAt: '2026-01-01T08:00:01Z',
      }),
    );
  });

  it('maps a raw status, unless the event has a status', () => {
    const mapRaw = ({ code, text }: { code?: string; text?: string }) =>
      code === 'DL' || text === 'Zugestellt' ? { status_code: 'delivered' } : undefined;
    const read = (members: object) => readEvent({ ...base, ...members }, { ...options, mapRaw });
    expect(read({ raw: { code: 'DL' } }).event).to.include({ statusCode: 'delivered', statusFromRaw: true });
    expect(read({ raw: { text: 'Zugestellt' }, proof: { kind: 'pin' } }).event).to.include({
      statusCode: 'delivered',
      statusFromRaw: true,
    });
    expect(read({ raw: { code: 'DL' }, status_code: 'received' }).event).to.include({
      statusCode: 'received',
      statusFromRaw: false,
    });
    expect(read({ raw: { code: '??' } }).errors.map(({ code }) => code)).to.deep.equal(['UNMAPPED_STATUS']);
    expect(read({ raw: { code: '??' }, retracts: 'urn:a:b' }).errors.map(({ code }) => code)).to.deep.equal([
      'UNMAPPED_STATUS',
    ]);
  });

  it('accepts a leap second, as the last nanosecond before it (formats F14)', () => {
    const of = (occurred_at: string) => {
      const { event, errors } = readEvent({ ...base, status_code: 'received', occurred_at }, options);
      return event ? [event.occurredAt, event.instant] : errors.map(({ code }) => code);
    };
    expect(of('2016-12-31T23:59:60Z')).to.deep.equal([
      '2016-12-31T23:59:59.999999999Z',
      '2016-12-31T23:59:59.999999999Z',
    ]);
    expect(of('2017-01-01T08:59:60.25+09:00')).to.deep.equal([
      '2017-01-01T08:59:59.999999999+09:00',
      '2016-12-31T23:59:59.999999999Z',
    ]);
    for (const text of [
      '2016-12-31T22:59:60Z',
      '2016-12-31T23:59:60+01:00',
      '2016-12-31T23:59:61Z',
      '2016-13-31T23:59:60Z',
      '2016-12-31T23:60:60Z',
    ])
      expect(of(text), text).to.deep.equal(['INVALID_TIME']);
  });

  it('returns no negative zero, which JSON would not keep', () => {
    const { event } = readEvent(
      { ...base, status_code: 'received', location: { latitude: -0, longitude: -0 } },
      options,
    );
    expect(Object.is(event?.location?.latitude, 0)).to.be.true;
  });

  it('a retraction needs no status, but may have one', () => {
    expect(readEvent({ ...base, retracts: 'urn:a:b' }, options).event)
      .to.include({ retracts: 'urn:a:b', statusFromRaw: false })
      .and.not.to.have.property('statusCode');
    expect(readEvent({ ...base, retracts: 'urn:a:b', status_code: 'received' }, options).event).to.include({
      retracts: 'urn:a:b',
      statusCode: 'received',
    });
  });

  it('only experimental codes keep an explicit phase', () => {
    expect(readEvent({ ...base, status_code: 'received', phase: 'inbound' }, options).event).not.to.have.property(
      'phase',
    );
    expect(
      readEvent({ ...base, status_code: 'x-new', phase: 'transit', phase_id: 'otep:phase:transit' }, options).event,
    ).to.include({ phase: 'transit' });
    expect(readEvent({ ...base, status_code: 'x-new', phase_id: 'otep:phase:transit' }, options).event).to.include({
      phase: 'transit',
    });
    expect(readEvent({ ...base, status_code: 'x-new' }, options).event).not.to.have.property('phase');
  });
});

describe('readTimeline', () => {
  it('reads each event independently', () => {
    const reading = readTimeline(
      {
        otep_version: '0.1',
        subject: { tracking_number: 'ab 1' },
        events: [
          { ...base, status_code: 'received' },
          { ...base, status_code: 'nonsense' },
        ],
      },
      { path: '/timelines/2', now: NOW },
    );
    expect(reading.subject).to.deep.equal({ tracking_number: 'AB1' });
    expect(reading.errors).to.deep.equal([]);
    expect(reading.events.map(({ path, event }) => [path, event?.statusCode])).to.deep.equal([
      ['/timelines/2/events/0', 'received'],
      ['/timelines/2/events/1', undefined],
    ]);
  });

  it('accepts a single event as a timeline of one', () => {
    const reading = readTimeline(
      { ...base, otep_version: '0.1', status_code: 'received', subject: { order_id: '7' } },
      { path: '', now: NOW },
    );
    expect(reading.subject).to.deep.equal({ order_id: '7' });
    expect(reading.events.map(({ path, event }) => [path, event?.statusCode])).to.deep.equal([['', 'received']]);
  });
});

describe('readSubject', () => {
  it('accepts the SSCC with and without its application identifier', () => {
    for (const gs1_sscc of [
      '340123450000000000',
      '(00)340123450000000000',
      '(00) 3 4012345 000000000 0',
      '00340123450000000000',
    ]) {
      expect(readSubject({ gs1_sscc }, { path: '' }).subject).to.deep.equal({ gs1_sscc: '340123450000000000' });
    }
    for (const gs1_sscc of ['006141411234567890'])
      expect(readSubject({ gs1_sscc }, { path: '' }).subject).to.deep.equal({ gs1_sscc });
  });
});

describe('checkDocument', () => {
  it('returns the journey of a document with retractions', () => {
    const events = [
      { ...base, event_id: 'urn:a:1', status_code: 'delivered' },
      { ...base, occurred_at: '2026-01-01T10:00:00+01:00', retracts: 'urn:a:1' },
      { ...base, occurred_at: '2026-01-01T11:00:00+01:00', status_code: 'out_for_delivery' },
    ];
    const { journey, errors } = checkDocument(
      { otep_version: '0.1', subject: { tracking_number: 'A' }, events },
      { now: NOW },
    );
    expect(errors).to.deep.equal([]);
    expect(journey?.timeline).to.include({ current_status: 'out_for_delivery', delivered: false });
    expect(journey?.retracted.map(({ event, retracted_at }) => [event.event_id, retracted_at])).to.deep.equal([
      ['urn:a:1', '2026-01-01T09:00:00.000Z'],
    ]);
  });

  it('rates: nothing registered 0, universal codes 1, profile codes with an external identifier 2', () => {
    const rate = (status_code: string) =>
      checkDocument(
        { ...base, otep_version: '0.1', status_code, subject: { gs1_sscc: '340123450000000000' } },
        { now: NOW },
      );
    expect(rate('x-new')).to.include({ conformant: true, level: 0 });
    expect(rate('received')).to.include({ conformant: true, level: 1 });
    expect(rate('nonsense')).to.include({ conformant: false, level: 0 });
    const registry = (code: string) =>
      code === 'left_with_concierge' ? { ...statusCode('delivered')!, code, profile: 'parcel' } : statusCode(code);
    expect(levelOf(['received', 'left_with_concierge'], { piece_id: 'urn:a:b' }, registry)).to.equal(2);
    expect(levelOf(['received', 'left_with_concierge'], { tracking_number: 'A' }, registry)).to.equal(1);
    expect(levelOf(['received'], { piece_id: 'urn:a:b' }, registry)).to.equal(1);
  });
});

describe('country codes', () => {
  it('are the 249 of ISO 3166-1, each with a name', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
    expect(codes).to.have.length(249);
    expect(new Set(codes.map(alpha3)).size).to.equal(249);
    for (const code of codes) expect(names.of(code), code).to.be.a('string');
    expect(['DE', 'US', 'GB', 'FJ', 'XX'].map(alpha3)).to.deep.equal(['DEU', 'USA', 'GBR', 'FJI', undefined]);
  });
});
