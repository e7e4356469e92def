import { expect } from 'chai';
import type { Journey } from '../../src/events/otep/model.js';
import { otlp } from '../../src/serializers/otlp.js';
import { journeyWith } from '../support/inputs/journeys.js';
import { officialJson, needsOfficial } from '../support/validators/official.js';
import { otlpErrors } from '../support/validators/otlp.js';

const context = { baseUrl: 'https://tracking.example' };

interface Span {
  [member: string]: unknown;
  traceId: string;
  spanId: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code: number; message: string };
}
interface Service {
  resource: { attributes: Span['attributes'] };
  scopeSpans: { spans: Span[] }[];
}
const write = (journey: Journey) =>
  JSON.parse(JSON.stringify(otlp.serialize(journey, context))) as { resourceSpans: Service[] };
const spansOf = (journey: Journey) =>
  write(journey).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
const named = (journey: Journey, name: string) => spansOf(journey).find((span) => span.name === name)!;
const attributeOf = (span: Span, key: string) => span.attributes.find((attribute) => attribute.key === key)?.value;

describe('OTLP', () => {
  describe('the validator', () => {
    it('accepts the official sample, except for its upper-case ids and a parent in another trace', function () {
      needsOfficial(this, 'otlp/trace.json');
      const text = JSON.stringify(officialJson('otlp/trace.json')).replace(/"[0-9A-F]{16,32}"/g, (id) =>
        id.toLowerCase(),
      );
      const sample = JSON.parse(text.replace(/"parentSpanId":"\w+",/, '')) as unknown;
      expect(otlpErrors(sample)).to.deep.equal([]);
    });

    const broken: readonly (readonly [string, (span: Span, service: Service) => void])[] = [
      [
        'base64 ids',
        (span) => {
          span.traceId = Buffer.from(span.traceId, 'hex').toString('base64');
        },
      ],
      [
        'ids of zeros',
        (span) => {
          span.spanId = '0'.repeat(16);
        },
      ],
      [
        'a parent of zeros',
        (span) => {
          span.parentSpanId = '0'.repeat(16);
        },
      ],
      [
        'an unknown parent',
        (span) => {
          span.parentSpanId = '0123456789abcdef';
        },
      ],
      [
        'a name of an enum',
        (span) => {
          span.kind = 'SPAN_KIND_INTERNAL';
        },
      ],
      [
        'times as numbers',
        (span) => {
          span.startTimeUnixNano = Number(span.startTimeUnixNano) as unknown as string;
        },
      ],
      [
        'a span without duration',
        (span) => {
          span.endTimeUnixNano = span.startTimeUnixNano;
        },
      ],
      [
        'attributes as a map',
        (span) => {
          span.attributes = { 'otep.event_id': 'x' } as unknown as Span['attributes'];
        },
      ],
      [
        'a duplicate attribute',
        (span) => {
          span.attributes.push(span.attributes[0]!);
        },
      ],
      [
        'an unknown member',
        (span) => {
          span.start_time_unix_nano = '1';
        },
      ],
      [
        'a value of two types',
        (span) => {
          span.attributes[0]!.value.boolValue = true;
        },
      ],
      [
        'a resource without a name',
        (_, service) => {
          service.resource.attributes = [];
        },
      ],
      [
        'a dangling link',
        (span) => {
          span.links = [{ traceId: span.traceId, spanId: '0123456789abcdef' }];
        },
      ],
    ];
    for (const [what, spoil] of broken) {
      it(`catches ${what}`, () => {
        const document = write(journeyWith([{ status_code: 'received' }, { status_code: 'delivered' }]));
        expect(otlpErrors(document)).to.deep.equal([]);
        const service = document.resourceSpans[0]!;
        spoil(service.scopeSpans[0]!.spans[1]!, service);
        expect(otlpErrors(document)).not.to.deep.equal([]);
      });
    }
  });

  it('keeps every id if an event arrives late, and if the subject gets more identifiers', () => {
    const received = { status_code: 'received', event_id: 'a' };
    const late = { status_code: 'in_transit', event_id: 'late' };
    const delivered = { status_code: 'delivered', event_id: 'b', occurred_at: '2026-01-02T20:00:00Z' };
    const ids = (journey: Journey) =>
      Object.fromEntries(spansOf(journey).map((span) => [span.name, `${span.traceId} ${span.spanId}`]));
    const before = ids(journeyWith([received, delivered]));
    const after = ids(journeyWith([received, late, delivered], { gs1_sscc: '340123450000000000' }));
    expect(after).to.include(before).and.to.have.property('in_transit');
  });

  it('gives two carriers with the same number two traces', () => {
    const journey = journeyWith([{ status_code: 'received' }]);
    expect(spansOf(journey)[0]!.traceId).not.to.equal(spansOf({ ...journey, carrier: 'other-carrier' })[0]!.traceId);
  });

  it('ends a span with the next status', () => {
    const future = { status_code: 'package_outbound', occurred_at: '2099-01-01T00:00:00Z' };
    const codes = ['received', 'x-note', 'in_transit', 'delivered', 'arrival_scan', 'removed_from_route'];
    const journey = journeyWith([...codes.map((status_code) => ({ status_code })), future]);
    const hours = (name: string) => {
      const { startTimeUnixNano, endTimeUnixNano } = named(journey, name);
      return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 3.6e12;
    };
    const nanosecond = 1 / 3.6e12;
    expect(codes.map(hours)).to.deep.equal([2, nanosecond, 1, nanosecond, nanosecond, nanosecond]);
    expect(named(journeyWith([{ status_code: 'received' }, future]), 'received').endTimeUnixNano).to.match(/1$/);
  });

  it('counts nanoseconds exactly, within unsigned 64 bits', () => {
    const received = named(
      journeyWith([{ status_code: 'received', occurred_at: '2026-01-02T08:00:00.123456789+05:45' }]),
      'received',
    );
    expect(received.startTimeUnixNano).to.equal('1767320100123456789');
    for (const occurred_at of ['1969-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      expect(otlpErrors(write(journeyWith([{ status_code: 'received', occurred_at }])))).to.deep.equal([]);
    }
  });

  it('marks failures, and only failures, as errors', () => {
    const failed = (status_code: string, code?: string) =>
      named(journeyWith([{ status_code, ...(code && { incident_reason: { code } }) }]), status_code).status?.code === 2;
    expect(
      ['pickup_failed', 'delivery_failed', 'removed_from_route', 'route_cancelled'].filter((code) => !failed(code)),
    ).to.deep.equal([]);
    const fine = [
      'received',
      'delivered',
      'cancelled',
      'delivery_rescheduled',
      'pickup_rescheduled',
      'return_to_sender',
      'x-note',
    ];
    expect(fine.filter((code) => failed(code))).to.deep.equal([]);
    expect(failed('delivered', 'damaged')).to.equal(true);
    expect(failed('delivered', 'weather')).to.equal(false);
    expect(failed('delivery_rescheduled', 'recipient_absent')).to.equal(false);
    const span = named(
      journeyWith([
        { status_code: 'delivery_failed', incident_reason: { code: 'recipient_absent', text: 'nobody at home' } },
      ]),
      'delivery_failed',
    );
    expect(span.status).to.deep.equal({ code: 2, message: 'nobody at home' });
    expect(attributeOf(span, 'error.type')).to.deep.equal({ stringValue: 'recipient_absent' });
    expect(named(journeyWith([{ status_code: 'return_to_sender' }]), 'journey').status).to.deep.equal({
      code: 2,
      message: 'returned',
    });
    expect(
      named(journeyWith([{ status_code: 'delivery_failed' }, { status_code: 'delivered' }]), 'journey'),
    ).not.to.have.property('status');
  });

  it('links a retraction to the retracted event', () => {
    const journey = journeyWith([{ status_code: 'received' }], {}, [{ status_code: 'delivered' }]);
    const [taken, retraction] = [named(journey, 'delivered'), named(journey, 'retraction')];
    expect(retraction.links).to.deep.equal([{ traceId: taken.traceId, spanId: taken.spanId }]);
    expect(attributeOf(taken, 'otep.retracted_at')).to.deep.equal({ stringValue: '2026-01-03T13:00:00.000Z' });
  });

  it('makes each source a service, and uses the place attributes of the semantic conventions', () => {
    const location = { city: 'Hamburg', country: 'DE', latitude: 53, longitude: 10 };
    const journey = journeyWith([
      { status_code: 'received', source: { type: 'carrier', provider: 'acme' }, location },
      { status_code: 'delivered' },
    ]);
    const services = write(journey).resourceSpans.map(({ resource }) => resource.attributes);
    expect(services).to.deep.equal(
      ['demo-carrier', 'acme'].map((stringValue) => [{ key: 'service.name', value: { stringValue } }]),
    );
    const span = named(journey, 'received');
    const geo = ['geo.locality.name', 'geo.country.iso_code', 'geo.location.lat', 'geo.location.lon'].map((key) =>
      attributeOf(span, key),
    );
    expect(geo).to.deep.equal([
      { stringValue: 'Hamburg' },
      { stringValue: 'DE' },
      { doubleValue: 53 },
      { doubleValue: 10 },
    ]);
    expect(attributeOf(span, 'otep.status_id')).to.deep.equal({ stringValue: 'otep:parcel:received' });
  });

  it('is an empty request for a journey without events', () => {
    expect(otlp.serialize(journeyWith([]), context)).to.deep.equal({ resourceSpans: [] });
  });
});
