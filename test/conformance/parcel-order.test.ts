/** The formats that represent orders, completed from the order of the parcel. */
import { expect } from 'chai';
import type { Journey } from '../../src/events/otep/model.js';
import type { ParcelOrder } from '../../src/serializers/format.js';
import { FORMATS } from '../../src/serializers/index.js';
import { magentoOrder } from '../../src/serializers/magento.js';
import { walmartOrder } from '../../src/serializers/walmart.js';
import { journeyWith } from '../support/inputs/example-journey.js';
import { validateMagento } from '../support/validators/magento.js';
import { validateWalmart, WALMART_REQUIRED } from '../support/validators/walmart.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
const ORDER: Omit<ParcelOrder, 'parcels'> = {
  id: 4711,
  order_ref: 'PO-1815367951431',
  created_at: '2026-02-28T10:00:00.123Z',
  updated_at: '2026-03-01T07:30:00.000Z',
  third_party: 'fedex',
  delivery: {
    name: 'Ada Lovelace',
    phone: '+1 416 555 0142',
    email: 'ada@example.com',
    street: '12 Analytical Road',
    street_2: 'Unit 3',
    city: 'Toronto',
    region: 'ON',
    postal_code: 'M5V 2T6',
    country: 'CA',
  },
  delivery_instruction: 'Ring twice',
  packages: [
    { tracking_number: 'OT999', weight_kg: 2 },
    { tracking_number: 'OT123456789', weight_kg: 1.5, description: 'Books' },
  ],
};
const journey: Journey = {
  ...journeyWith([{ status_code: 'information_submitted' }, { status_code: 'picked_up' }]),
  planned: { date: '2026-03-05', windows: [], by: '2026-03-05T23:59:59-05:00' },
};
const complete = { ...CONTEXT, order: { ...ORDER, parcels: [journey.timeline.events, journey.timeline.events] } };
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('formats that represent orders', () => {
  it('walmart: reference, dates, recipient and plan; no order of the service has the missing members', () => {
    const serialized = walmartOrder(journey, complete);
    expect(validateWalmart(serialized)).to.deep.equal([]);
    expect(plain(serialized), 'nothing that JSON drops').to.deep.equal(serialized);
    const { orderLines, ...order } = serialized.order;
    expect(order).to.deep.equal({
      purchaseOrderId: 'PO-1815367951431',
      customerEmailId: 'ada@example.com',
      orderDate: Date.parse('2026-02-28T10:00:00.123Z'),
      shippingInfo: {
        phone: '+1 416 555 0142',
        estimatedDeliveryDate: Date.parse('2026-03-06T04:59:59Z'),
        methodCode: 'Standard',
        postalAddress: {
          name: 'Ada Lovelace',
          address1: '12 Analytical Road',
          address2: 'Unit 3',
          city: 'Toronto',
          state: 'ON',
          postalCode: 'M5V 2T6',
          country: 'CAN',
        },
      },
    });
    const [line] = orderLines.orderLine;
    expect(line!.lineNumber).to.equal('2');
    expect(line!.orderLineStatuses.orderLineStatus[0]!.trackingInfo!.carrierName).to.deep.equal({ carrier: 'FedEx' });
    const missing = WALMART_REQUIRED.filter((path) => at(serialized.order, path) === undefined);
    expect(missing).to.deep.equal([
      'customerOrderId',
      'shippingInfo.estimatedShipDate',
      'shippingInfo.postalAddress.addressType',
      'orderLines.orderLine.0.item',
      'orderLines.orderLine.0.charges',
    ]);
  });

  it('magento: references, dates, weights, recipient', () => {
    const serialized = magentoOrder(journey, complete);
    expect(validateMagento(serialized)).to.deep.equal([]);
    expect(serialized.order).to.deep.equal({
      state: 'complete',
      status: 'complete',
      increment_id: 'PO-1815367951431',
      ext_order_id: '4711',
      created_at: '2026-02-28 10:00:00',
      updated_at: '2026-03-01 07:30:00',
      customer_email: 'ada@example.com',
      customer_note: 'Ring twice',
      weight: 3.5,
      extension_attributes: {
        otep_status: 'otep:parcel:picked_up',
        shipping_assignments: [
          {
            shipping: {
              address: {
                address_type: 'shipping',
                lastname: 'Ada Lovelace',
                street: ['12 Analytical Road', 'Unit 3'],
                city: 'Toronto',
                region: 'ON',
                postcode: 'M5V 2T6',
                country_id: 'CA',
                telephone: '+1 416 555 0142',
                email: 'ada@example.com',
              },
            },
            items: [],
          },
        ],
      },
    });
    const [shipment] = serialized.shipments;
    expect(shipment).to.deep.include({ total_weight: 1.5, items: [] });
    expect(shipment!.tracks).to.deep.equal([
      {
        created_at: '2026-03-02 07:00:00',
        track_number: 'OT123456789',
        title: 'fedex',
        carrier_code: 'fedex',
        weight: 1.5,
        description: 'Books',
      },
    ]);
  });

  it('contain no recipient and nothing empty if the person is erased or the order has little data', () => {
    const bare: ParcelOrder = {
      ...ORDER,
      order_ref: null,
      third_party: null,
      delivery: null,
      delivery_instruction: null,
      packages: [{ tracking_number: 'OT123456789' }, { tracking_number: 'OT999', weight_kg: 2 }],
      parcels: [journey.timeline.events, journey.timeline.events],
    };
    for (const delivery of [null, {}, { name: undefined }]) {
      const context = { ...CONTEXT, order: { ...bare, delivery } };
      const { order } = walmartOrder(journey, context);
      expect(order).to.not.have.any.keys('purchaseOrderId', 'shippingInfo', 'customerEmailId');
      const magento = magentoOrder(journey, context);
      expect(validateMagento(magento)).to.deep.equal([]);
      expect(magento.order.extension_attributes).to.deep.equal({ otep_status: 'otep:parcel:picked_up' });
      expect(magento.order, 'part of a weight').to.not.have.property('weight');
      expect(magento.shipments[0]!.tracks[0]).to.not.have.any.keys('weight', 'description');
    }
    const area = { ...CONTEXT, order: { ...bare, delivery: { city: 'Toronto', country: 'CA' } } };
    expect(walmartOrder(journey, area).order.shippingInfo!.postalAddress).to.deep.equal({
      city: 'Toronto',
      country: 'CAN',
    });
  });

  it('are the only formats that depend on the order', () => {
    for (const { name, serialize, includesOrder = false } of FORMATS) {
      const differs = JSON.stringify(serialize(journey, complete)) !== JSON.stringify(serialize(journey, CONTEXT));
      expect(differs, name).to.equal(includesOrder);
    }
  });
});

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
