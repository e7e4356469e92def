/** How the adapter of EasyPost reads errors, statuses, methods and webhooks. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { carrierCodeOf, methodCodeOf, toMethods } from '../../../src/engines/outside/carriers/easypost/methods.js';
import { inbound } from '../../../src/engines/outside/carriers/easypost/inbound.js';
import { boughtLabel, labelIn } from '../../../src/engines/outside/carriers/easypost/label-files.js';
import { BUY_REFUSALS, CREATE_REFUSALS, refusalOf } from '../../../src/engines/outside/carriers/easypost/refusals.js';
import { rawStatusOf, STATUS_MAPPING } from '../../../src/engines/outside/carriers/easypost/statuses.js';
import { eventsOf } from '../../../src/engines/outside/carriers/easypost/tracking.js';
import { isExperimental, statusCode } from '../../../src/events/otep/codes.js';
import { statusMappingSchema } from '../../../src/events/providers/events.js';

describe('errors of EasyPost', () => {
  it('have a code and one text', () =>
    expect(
      refusalOf(
        {
          error: {
            code: 'ADDRESS.VERIFY.FAILURE',
            message: 'Unable to verify address.',
            errors: [{ field: 'street1', message: 'House number is missing', suggestion: null }, 'Try again.'],
          },
        },
        422,
      ),
    ).to.deep.equal({
      code: 'ADDRESS.VERIFY.FAILURE',
      text: 'Unable to verify address. street1: House number is missing Try again.',
    }));

  it('are named by their status if it says enough, or if they have no code', () => {
    const codes = [401, 402, 403, 418].map((status) => refusalOf({ error: 'no' }, status).code);
    expect(codes).to.deep.equal(['UNAUTHORIZED', 'PAYMENT_REQUIRED', 'FORBIDDEN', 'status_418']);
    expect(refusalOf({ error: { code: 'INSUFFICIENT', message: 'No funds.' } }, 402)).to.deep.equal({
      code: 'PAYMENT_REQUIRED',
      text: 'No funds.',
    });
  });

  it('have a text of limited length', () =>
    expect(refusalOf({ error: { code: 'X', message: 'm'.repeat(9_000) } }, 422).text).to.have.length(500));

  for (const code of [
    'SHIPMENT.POSTAGE.EXISTS',
    'SHIPMENT.PURCHASE.IN_PROGRESS',
    'SHIPMENT.POSTAGE.NO_RESPONSE',
    'SHIPMENT.POSTAGE.TIMED_OUT',
    'NOT_FOUND',
    'RATE_LIMITED',
    'INTERNAL_SERVER_ERROR',
  ])
    it(`leave the result of a purchase unknown: ${code}`, () => {
      expect(BUY_REFUSALS).to.not.have.property(code);
      expect(CREATE_REFUSALS).to.not.have.property(code);
    });
});

const STATUSES =
  'unknown pre_transit in_transit out_for_delivery delivered available_for_pickup return_to_sender failure cancelled error';
const DETAILS =
  'address_correction arrived_at_destination arrived_at_facility arrived_at_pickup_location awaiting_information ' +
  'cancelled damaged delayed delivery_exception departed_facility departed_origin_facility expired failure held ' +
  'in_transit label_created lost missorted out_for_delivery received_at_destination_facility ' +
  'received_at_origin_facility refused return status_update transferred_to_destination_carrier transit_exception ' +
  'unknown weather_delay';

describe('statuses of EasyPost', () => {
  const codes = new Map(STATUS_MAPPING.map(({ raw, code }) => [raw, code]));

  it('are mapped in all combinations that EasyPost documents', () => {
    const raws = STATUSES.split(' ').flatMap((status) =>
      [null, ...DETAILS.split(' ')].map((status_detail) => rawStatusOf({ status, status_detail })),
    );
    expect(raws.filter((raw) => !codes.has(raw))).to.deep.equal([]);
    expect(
      [...codes.keys()].filter((raw) => !raws.includes(raw)),
      'rows that no status needs',
    ).to.deep.equal([]);
  });

  it('are a valid status mapping, each raw status once', () => {
    expect(codes.size).to.equal(STATUS_MAPPING.length);
    statusMappingSchema.parse(STATUS_MAPPING.map(({ raw, code }) => ({ raw, status_code: code })));
    const unknown = STATUS_MAPPING.filter(({ code }) => !statusCode(code) && !isExperimental(code));
    expect(unknown).to.deep.equal([]);
  });

  for (const [status, detail, code] of [
    ['pre_transit', 'status_update', 'information_submitted'],
    ['in_transit', 'received_at_origin_facility', 'received'],
    ['in_transit', 'departed_facility', 'package_outbound'],
    ['in_transit', 'unknown', 'in_transit'],
    ['delivered', 'arrived_at_destination', 'delivered'],
    ['failure', 'refused', 'rejected_by_recipient'],
    ['failure', 'arrived_at_facility', 'delivery_failed'],
    ['in_transit', 'lost', 'delivery_failed'],
    ['return_to_sender', 'return', 'return_to_sender'],
    ['available_for_pickup', 'arrived_at_pickup_location', 'x-ready_for_pickup'],
  ] as const)
    it(`map ${status} with ${detail} to ${code}`, () =>
      expect(codes.get(rawStatusOf({ status, status_detail: detail }))).to.equal(code));
});

const DETAIL = {
  message: 'Arrived',
  status: 'in_transit',
  status_detail: 'arrived_at_facility',
  datetime: '2026-01-05T10:00:00Z',
  tracking_location: { city: 'HOUSTON', state: 'TX', country: null },
};
const TRACKER = { tracking_code: '9400', shipment_id: 'shp_1', weight: 17.6, tracking_details: [DETAIL] };

describe('tracking events of EasyPost', () => {
  it('have an id that follows from their content', () => {
    const [event] = eventsOf(TRACKER);
    expect(event).to.include({
      tracking_number: '9400',
      occurred_at: '2026-01-05T10:00:00.000Z',
      raw_status: 'in_transit/arrived_at_facility',
      description: 'Arrived',
    });
    expect(event!.place).to.deep.equal({ city: 'HOUSTON', region: 'TX' });
    const idOf = (more: object) => eventsOf({ ...TRACKER, tracking_details: [{ ...DETAIL, ...more }] })[0]!.event_id;
    expect(idOf({ datetime: '2026-01-05T11:00:00+01:00' })).to.equal(event!.event_id);
    for (const more of [{ message: 'Left' }, { datetime: '2026-01-05T10:00:01Z' }, { status_detail: 'held' }])
      expect(idOf(more)).to.not.equal(event!.event_id);
  });
});

describe('webhooks of EasyPost', () => {
  const SECRET = 'sécret of the shop';
  const signed = (body: string, secret = SECRET) =>
    `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`;
  const verify = (
    sent: string,
    signature: string | undefined,
    credentials: unknown = { api_key: 'EZTKdouble', webhook_secret: SECRET },
  ) => inbound.verify({ 'x-hmac-signature': signature }, Buffer.from(sent), credentials);
  const body = JSON.stringify({ id: 'evt_1', description: 'tracker.updated', result: { ...TRACKER, weight: 17 } });
  const precise = body.replace('"weight":17', '"weight":17.0');

  it('are accepted with a signature of the body, also if whole weights lost their decimal place', () => {
    expect(verify(body, signed(body))).to.equal(true);
    expect(verify(precise, signed(precise))).to.equal(true);
    expect(verify(body, signed(precise))).to.equal(true);
  });

  it('are refused after any change, with another secret, and without secret or signature', () => {
    expect(verify(body.replace('9400', '9401'), signed(body))).to.equal(false);
    expect(verify(body, signed(body, 'another secret'))).to.equal(false);
    expect(verify(body, undefined)).to.equal(false);
    expect(verify(body, '')).to.equal(false);
    expect(verify(body, signed(body), { api_key: 'EZTKdouble' })).to.equal(false);
    expect(verify(body, signed(body, ''), { api_key: 'EZTKdouble', webhook_secret: '' })).to.equal(false);
  });

  it('contain the events of a tracker, or none', () => {
    const event = JSON.parse(body) as object;
    expect(inbound.messageId(event)).to.equal('evt_1');
    expect(inbound.events(event)).to.deep.equal(eventsOf(TRACKER));
    expect(inbound.events({ ...event, description: 'batch.updated' })).to.deep.equal([]);
    expect(inbound.messageId([])).to.equal(undefined);
    expect(() => inbound.events({ ...event, result: { tracking_code: '9400' } })).to.throw();
  });
});

describe('methods of EasyPost', () => {
  it('have the same code in rates and in the list of carriers', () => {
    expect(methodCodeOf({ carrier: 'USPS', service: 'GroundAdvantage' })).to.equal('usps.groundadvantage');
    expect(methodCodeOf({ carrier: 'UPSDAP', service: 'Ground' })).to.equal('ups.ground');
    expect(methodCodeOf({ carrier: 'FedExDefault', service: 'FEDEX_2_DAY' })).to.equal('fedex.fedex_2_day');
    expect(methodCodeOf({ carrier: 'DPD', service: 'DPD8:30' })).to.equal('dpd.dpd8_30');
    expect(carrierCodeOf('DHL Express')).to.equal('dhlexpress');
  });

  it('are those of the carriers of the account', () => {
    const levels = [{ name: 'Priority', human_readable: 'Priority Mail®' }, { name: 'First' }];
    const listed = ['usps', 'ups'].map((name) => ({
      name,
      human_readable: name.toUpperCase(),
      service_levels: levels,
    }));
    const methods = toMethods(listed, new Set(['usps']));
    expect(methods.map(({ code, name, carrier }) => [code, name, carrier])).to.deep.equal([
      ['usps.priority', 'Priority Mail®', 'USPS'],
      ['usps.first', 'First', 'USPS'],
    ]);
  });
});

describe('labels of EasyPost', () => {
  const label = { label_url: 'https://files.example/1.png', label_file_type: 'image/png' };
  it('have the format of their file', () => {
    expect(boughtLabel(label)).to.deep.equal({ format: 'png', url: label.label_url });
    expect(boughtLabel({ label_url: 'https://files.example/1.zpl' })?.format).to.equal('zpl');
    expect(boughtLabel({ label_url: null })).to.equal(undefined);
    expect(boughtLabel({ ...label, label_file_type: 'application/epl2' })).to.equal(undefined);
  });
  it('have further formats only if EasyPost has converted them', () => {
    expect(labelIn(label, 'png')).to.deep.equal(boughtLabel(label));
    expect(labelIn(label, 'zpl')).to.equal(undefined);
    const converted = { ...label, label_zpl_url: 'https://files.example/1.zpl' };
    expect(labelIn(converted, 'zpl')).to.deep.equal({ format: 'zpl', url: 'https://files.example/1.zpl' });
    expect(labelIn(converted, 'pdf')).to.equal(undefined);
  });
});
