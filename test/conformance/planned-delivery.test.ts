/** The planned delivery in the formats that have a field for it, against their official schemas. */
import type { Tracking } from '@aftership/tracking-sdk/dist/model/Tracking.js';
import { expect } from 'chai';
import type { DeliveryPlan, Journey } from '../../src/events/otep/model.js';
import { checkDocument } from '../../src/events/otep/check/document.js';
import { instantOf } from '../../src/events/otep/time.js';
import { timelineSchema } from '../../src/events/otep/schema.js';
import { aftershipTracking } from '../../src/serializers/aftership.js';
import { FORMATS } from '../../src/serializers/index.js';
import { trackingPage } from '../../src/serializers/page.js';
import { example, journeyWith } from '../support/inputs/example-journey.js';
import { validateAftership } from '../support/validators/aftership.js';
import { needsOfficial } from '../support/validators/official.js';
import { ONE_RECORD_FILES, oneRecordValidator } from '../support/validators/onerecord.js';
import { otlpErrors } from '../support/validators/otlp.js';
import { sensorThingsErrors } from '../support/validators/sensorthings.js';
import { validateShippo } from '../support/validators/shippo.js';
import { validateShopify } from '../support/validators/shopify.js';
import { linkedDataValidator, statusReportValidator, UNCEFACT_FILES } from '../support/validators/uncefact.js';
import type { Wire } from '../support/validators/validate.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
const IN_WINDOWS: DeliveryPlan = {
  date: '2026-03-05',
  windows: [
    { from: '2026-03-05T09:00:00+01:00', to: '2026-03-05T12:00:00+01:00' },
    { from: '2026-03-05T18:00:00+01:00', to: '2026-03-05T20:00:00+01:00' },
  ],
  by: '2026-03-05T20:00:00+01:00',
};
const ALL_DAY: DeliveryPlan = { date: '2026-03-05', windows: [], by: '2026-03-05T23:59:59+01:00' };

const onTheWay = (planned?: DeliveryPlan): Journey => ({
  ...journeyWith([{ status_code: 'information_submitted' }, { status_code: 'picked_up' }]),
  ...(planned && { planned }),
});
const formatOf = (name: string) => FORMATS.find((format) => format.name === name)!;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const serialized = (name: string, planned?: DeliveryPlan): any =>
  JSON.parse(JSON.stringify(formatOf(name).serialize(onTheWay(planned), CONTEXT)));

describe('a planned delivery', () => {
  it('otep: is returned unchanged, and the result can be pushed and checked again', () => {
    const document = serialized('otep', IN_WINDOWS);
    expect(document.planned_delivery).to.deep.equal(IN_WINDOWS);
    expect(timelineSchema.parse(document)).to.deep.equal(document);
    const now = instantOf('2026-06-01T00:00:00Z')!;
    const checked = checkDocument(document, { now });
    expect(checked.errors).to.deep.equal([]);
    expect(checked.warnings).to.deep.equal(checkDocument(serialized('otep'), { now }).warnings);
    expect(checkDocument({ ...document, planned_delivery: 'soon' }, { now }).errors[0]).to.deep.include({
      code: 'INVALID_TYPE',
      path: '/planned_delivery',
    });
  });

  it('aftership: an estimate of the business, and a date without a time if no time was planned', () => {
    const compiled: Wire<Tracking> = aftershipTracking(onTheWay(IN_WINDOWS));
    expect(validateAftership(compiled)).to.deep.equal([]);
    expect(compiled.custom_estimated_delivery_date).to.deep.equal({
      type: 'range',
      datetime: null,
      datetime_min: '2026-03-05T09:00:00+01:00',
      datetime_max: '2026-03-05T20:00:00+01:00',
    });
    const allDay = serialized('aftership', ALL_DAY);
    expect(validateAftership(allDay)).to.deep.equal([]);
    expect(allDay.custom_estimated_delivery_date).to.deep.equal({
      type: 'specific',
      datetime: '2026-03-05',
      datetime_min: null,
      datetime_max: null,
    });
    allDay.custom_estimated_delivery_date.datetime = '2026-03-05T00:00:00';
    expect(validateAftership(allDay)).to.not.deep.equal([]);
  });

  it('shippo: eta, in UTC', () => {
    const track = serialized('shippo', IN_WINDOWS);
    expect(validateShippo(track)).to.deep.equal([]);
    expect(track.eta).to.equal('2026-03-05T19:00:00.000Z');
    expect(serialized('shippo', ALL_DAY).eta).to.equal('2026-03-05T22:59:59.000Z');
  });

  it('shopify: of the latest event, in the local time of the place', () => {
    const list = serialized('shopify', IN_WINDOWS);
    expect(validateShopify(list)).to.deep.equal([]);
    expect(
      list.fulfillment_events.map((one: { estimated_delivery_at: unknown }) => one.estimated_delivery_at),
    ).to.deep.equal([null, '2026-03-05T20:00:00+01:00']);
  });

  it('otlp and sensorthings: with the native members', () => {
    const spans = serialized('otlp', ALL_DAY);
    expect(otlpErrors(spans)).to.deep.equal([]);
    const [journey] = spans.resourceSpans[0].scopeSpans[0].spans;
    const attribute = journey.attributes.find(({ key }: { key: string }) => key === 'otep.planned_delivery');
    expect(JSON.parse(attribute.value.stringValue)).to.deep.equal(ALL_DAY);
    const thing = serialized('sensorthings', IN_WINDOWS);
    expect(sensorThingsErrors(thing)).to.deep.equal([]);
    expect(thing.properties.planned_delivery).to.deep.equal(IN_WINDOWS);
  });

  it('uncefact: the scheduled delivery event, by the official schema and the vocabulary', async function () {
    needsOfficial(this, ...UNCEFACT_FILES);
    const report = serialized('uncefact', IN_WINDOWS);
    const errorsOf = statusReportValidator();
    expect(errorsOf(report)).to.deep.equal([]);
    const { deliveryEvent } = report.specifiedConsignment[0];
    expect(deliveryEvent).to.deep.equal({
      scheduledOccurrenceDateTime: '2026-03-05T19:00:00Z',
      'x-otep': { planned_delivery: IN_WINDOWS },
    });
    deliveryEvent.plannedOccurrenceDateTime = deliveryEvent.scheduledOccurrenceDateTime;
    expect(errorsOf(report)).to.not.deep.equal([]);
    const linked = JSON.parse(
      JSON.stringify(formatOf('uncefact').variants![0]!.serialize(onTheWay(IN_WINDOWS), CONTEXT)),
    );
    expect(await linkedDataValidator()(linked)).to.deep.equal([]);
    expect(linked.deliveryTransportEvent.scheduledOccurrenceDateTime).to.equal('2026-03-05T19:00:00Z');
  });

  it('onerecord: a planned event, by the official ontologies', async function () {
    needsOfficial(this, ...ONE_RECORD_FILES);
    const collection = serialized('onerecord', ALL_DAY);
    const address = 'https://tms.example/api/v1/otep/trackings/OT123456789?format=onerecord';
    expect(await oneRecordValidator()(collection, address)).to.deep.equal([]);
    expect(collection['api:hasTotalItems']).to.equal(3);
    expect(collection['api:hasItem'].at(-1)).to.deep.include({
      'cargo:eventTimeType': { '@id': 'cargo:PLANNED' },
      'cargo:eventCode': { '@id': 'https://vocabulary.uncefact.org/LogisticsStatusCodeList#209' },
      'cargo:eventDate': { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2026-03-05T22:59:59Z' },
    });
  });

  it('is missing in formats that declare to lose it, and changes nothing without a plan', () => {
    const plain = JSON.stringify(onTheWay().timeline);
    for (const { name, lost } of FORMATS) {
      const differs = JSON.stringify(serialized(name, IN_WINDOWS)) !== JSON.stringify(serialized(name));
      expect(differs, name).to.equal(!lost.join().includes('the planned delivery'));
      expect(JSON.stringify(serialized(name)), name).to.not.match(/planned|"eta"|PLANNED|deliveryEvent"/);
    }
    expect(JSON.stringify(onTheWay().timeline)).to.equal(plain);
  });

  it('the page: in its language, in the local time of the place', () => {
    expect(trackingPage(onTheWay(IN_WINDOWS), 'de')).to.contain(
      '<p>Geplante Zustellung: <time datetime="2026-03-05T20:00:00+01:00">2026-03-05, 09:00–12:00, 18:00–20:00</time></p>',
    );
    expect(trackingPage(onTheWay(ALL_DAY), 'en')).to.contain('>2026-03-05</time>');
    expect(trackingPage(example(), 'en')).to.not.contain('Planned');
  });
});
