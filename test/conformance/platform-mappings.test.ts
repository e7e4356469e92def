/** The output of each platform format in the important situations, written by hand. */
import { expect } from 'chai';
import type { Journey } from '../../src/events/otep/model.js';
import { STATUS_CODES } from '../../src/events/otep/codes.js';
import { aftershipTracking } from '../../src/serializers/aftership.js';
import { bigcommerceOrder } from '../../src/serializers/bigcommerce.js';
import { magentoOrder } from '../../src/serializers/magento.js';
import { prestashopOrder } from '../../src/serializers/prestashop.js';
import { shippoTrack } from '../../src/serializers/shippo.js';
import { shopifyEvents } from '../../src/serializers/shopify.js';
import { walmartOrder } from '../../src/serializers/walmart.js';
import { woocommerceOrder } from '../../src/serializers/woocommerce.js';
import { journeyWith, orderOf, type Given } from '../support/inputs/example-journey.js';

const CONTEXT = { baseUrl: 'https://tms.example' };

/**
 * One word of each platform, in this order: AfterShip, Shopify, Shippo, Walmart, WooCommerce, BigCommerce, Magento,
 * PrestaShop.
 */
type Words = readonly [string, string | undefined, string | undefined, string, string, number, string, string];

function wordsOf(given: readonly Given[]): Words {
  const journey = journeyWith(given);
  // The states of an order require the order: see N15 below.
  const context = { ...CONTEXT, order: orderOf(journey) };
  return [
    aftershipTracking(journey).subtag,
    shopifyEvents(journey).at(-1)?.status,
    shippoTrack(journey).tracking_status?.substatus.code,
    walmartOrder(journey, context).order.orderLines.orderLine[0]!.orderLineStatuses.orderLineStatus[0]!.status,
    woocommerceOrder(journey, context).status,
    bigcommerceOrder(journey, context).order.status_id,
    magentoOrder(journey, context).order.state,
    prestashopOrder(journey, context).order.current_state,
  ];
}

const PICKED_UP = { status_code: 'picked_up' };
const DELIVERED = { status_code: 'delivered' };

const because = (status_code: string, code: string): Given => ({ status_code, incident_reason: { code } });

const SITUATIONS: Readonly<Record<string, readonly [given: readonly Given[], words: Words]>> = {
  'no events': [[], ['Pending_001', undefined, undefined, 'Created', 'processing', 11, 'new', '3']],
  'label created': [
    [{ status_code: 'information_submitted' }],
    ['InfoReceived_001', 'label_purchased', 'information_received', 'Acknowledged', 'processing', 9, 'processing', '3'],
  ],
  'picked up': [
    [PICKED_UP],
    ['InTransit_002', 'in_transit', 'package_accepted', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'out for delivery': [
    [PICKED_UP, { status_code: 'out_for_delivery' }],
    ['OutForDelivery_001', 'out_for_delivery', 'out_for_delivery', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  delivered: [
    [PICKED_UP, DELIVERED],
    ['Delivered_001', 'delivered', 'delivered', 'Delivered', 'completed', 10, 'complete', '5'],
  ],
  'delivered with signature': [
    [PICKED_UP, { ...DELIVERED, proof: { kind: 'signature' } }],
    ['Delivered_003', 'delivered', 'delivered', 'Delivered', 'completed', 10, 'complete', '5'],
  ],
  'recipient absent': [
    [PICKED_UP, because('delivery_failed', 'recipient_absent')],
    ['AttemptFail_002', 'attempted_delivery', 'delivery_attempted', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'business closed': [
    [PICKED_UP, because('delivery_failed', 'business_closed')],
    ['AttemptFail_003', 'attempted_delivery', 'location_inaccessible', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'wrong address': [
    [PICKED_UP, because('delivery_failed', 'address_incorrect')],
    ['Exception_007', 'attempted_delivery', 'address_issue', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  damaged: [
    [PICKED_UP, because('in_transit', 'damaged')],
    ['Exception_012', 'failure', 'package_damaged', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  lost: [
    [PICKED_UP, because('removed_from_route', 'lost')],
    ['Exception_013', 'failure', 'package_lost', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'held by customs': [
    [PICKED_UP, because('in_transit', 'customs')],
    ['Exception_004', 'in_transit', 'package_held', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'late because of weather': [
    [PICKED_UP, because('delivery_rescheduled', 'weather')],
    ['Exception_017', 'in_transit', 'delivery_rescheduled', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'returned to sender': [
    [PICKED_UP, { status_code: 'return_to_sender' }],
    ['Exception_011', 'failure', 'return_to_sender', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'refused by the recipient': [
    [PICKED_UP, { status_code: 'rejected_by_recipient' }],
    ['Exception_003', 'failure', 'package_undeliverable', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'cancelled before pick-up': [
    [{ status_code: 'information_submitted' }, { status_code: 'cancelled' }],
    ['Exception_020', 'failure', 'package_undeliverable', 'Cancelled', 'cancelled', 5, 'canceled', '6'],
  ],
  'an experimental code with a phase': [
    [PICKED_UP, { status_code: 'x-ferry_missed', phase: 'exception' }],
    ['Exception_001', 'in_transit', 'delayed', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'an experimental code of the delivered phase': [
    [{ status_code: 'x-in_the_shed', phase: 'delivered' }],
    ['OutForDelivery_001', 'out_for_delivery', 'out_for_delivery', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'an experimental code without a phase': [
    [PICKED_UP, { status_code: 'x-seal_checked' }],
    ['InTransit_002', 'in_transit', 'package_accepted', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'a scan after the terminal event': [
    [PICKED_UP, DELIVERED, { status_code: 'arrival_scan' }],
    ['Delivered_001', 'delivered', 'delivered', 'Delivered', 'completed', 10, 'complete', '5'],
  ],
  'a second terminal event': [
    [PICKED_UP, DELIVERED, { status_code: 'return_to_sender' }],
    ['Delivered_001', 'delivered', 'delivered', 'Delivered', 'completed', 10, 'complete', '5'],
  ],
  'a scan from the future': [
    [PICKED_UP, { ...DELIVERED, occurred_at: '2026-06-01T12:00:00Z' }],
    ['InTransit_002', 'in_transit', 'package_accepted', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
  'a label reprinted in transit': [
    [PICKED_UP, { status_code: 'awaiting_pickup' }],
    ['InTransit_002', 'in_transit', 'package_accepted', 'Shipped', 'completed', 2, 'complete', '4'],
  ],
};

describe('platform mappings', () => {
  for (const [situation, [given, words]] of Object.entries(SITUATIONS)) {
    it(situation, () => {
      expect(wordsOf(given)).to.deep.equal(words);
    });
  }

  it('has separate words for every code of the registry, also with an unknown reason', () => {
    for (const { code } of STATUS_CODES) {
      expect(
        wordsOf([because(code, 'toString')]).every((word) => typeof word === 'string' || typeof word === 'number'),
        code,
      ).to.equal(true);
    }
  });

  it('counts attempts and returns if the platform requires them', () => {
    const failed = because('delivery_failed', 'recipient_absent');
    const tracking = aftershipTracking(journeyWith([PICKED_UP, failed, failed, { status_code: 'return_to_sender' }]));
    expect(tracking).to.include({
      failed_delivery_attempts: 2,
      first_attempted_at: '2026-03-02T08:00:00+01:00',
      return_to_sender: true,
      active: false,
      shipment_delivery_date: null,
    });
  });

  it('names a carrier by its name on the platform, and an unknown one unchanged', () => {
    const carrierIn = (carrier: string) => {
      const journey = journeyWith([PICKED_UP], { carrier });
      return [
        aftershipTracking(journey).slug,
        walmartOrder(journey, CONTEXT).order.orderLines.orderLine[0]!.orderLineStatuses.orderLineStatus[0]!.trackingInfo
          ?.carrierName,
        bigcommerceOrder(journey, CONTEXT).shipments[0]?.shipping_provider,
        magentoOrder(journey).shipments[0]?.tracks[0]?.carrier_code,
      ];
    };
    expect(carrierIn('ups')).to.deep.equal(['ups', { carrier: 'UPS' }, 'ups', 'ups']);
    expect(carrierIn('royal-mail')).to.deep.equal(['royal-mail', { carrier: 'Royal Mail' }, 'royalmail', 'custom']);
    expect(carrierIn('Demo Carrier & Co')).to.deep.equal([
      'demo-carrier-co',
      { otherCarrier: 'Demo Carrier & Co' },
      '',
      'custom',
    ]);
  });

  it('ends with the end of the journey, so that the last entry is the valid status (D12)', () => {
    const ended = journeyWith([
      PICKED_UP,
      DELIVERED,
      { status_code: 'return_to_sender' },
      { status_code: 'in_transit' },
    ]);
    const entries = shopifyEvents(ended);
    expect(entries.map(({ status, message }) => [status, message])).to.deep.equal([
      ['in_transit', 'Picked up'],
      ['delivered', 'Delivered'],
    ]);
    const track = shippoTrack(ended);
    expect(track.tracking_status).to.deep.equal(track.tracking_history.at(-1));
    expect(track.tracking_status?.status).to.equal('DELIVERED');
    expect(shippoTrack(journeyWith([PICKED_UP, { status_code: 'in_transit' }])).tracking_history).to.have.length(2);
  });

  describe('of an order with several parcels (N15, field-tracking F2)', () => {
    const LABEL: Given = { status_code: 'information_submitted' };
    const RETURNED: Given = { status_code: 'return_to_sender' };
    const CANCELLED: Given = { status_code: 'cancelled' };
    const statesOf = (...parcels: readonly (readonly Given[])[]) => {
      const journeys = parcels.map((given) => journeyWith(given));
      const [journey] = journeys as [Journey];
      const order = orderOf(journey, { parcels: journeys.map(({ timeline }) => timeline.events) });
      const context = { ...CONTEXT, order };
      return [
        woocommerceOrder(journey, context).status,
        bigcommerceOrder(journey, context).order.status_id,
        magentoOrder(journey, context).order.state,
        prestashopOrder(journey, context).order.current_state,
      ];
    };

    it('is that of all parcels, whichever of them is read', () => {
      const cases: readonly (readonly [parcels: readonly (readonly Given[])[], states: unknown[]])[] = [
        [
          [[LABEL], []],
          ['processing', 9, 'processing', '3'],
        ],
        [
          [[PICKED_UP], [LABEL], [LABEL]],
          ['processing', 3, 'processing', '3'],
        ],
        [
          [[PICKED_UP, DELIVERED], [LABEL], [LABEL]],
          ['processing', 3, 'processing', '3'],
        ],
        [
          [[PICKED_UP, DELIVERED], [PICKED_UP], [PICKED_UP]],
          ['completed', 2, 'complete', '4'],
        ],
        [
          [[PICKED_UP], [PICKED_UP]],
          ['completed', 2, 'complete', '4'],
        ],
        [
          [
            [PICKED_UP, DELIVERED],
            [PICKED_UP, DELIVERED],
          ],
          ['completed', 10, 'complete', '5'],
        ],
        [
          [[PICKED_UP, DELIVERED], [CANCELLED]],
          ['completed', 10, 'complete', '5'],
        ],
        [
          [
            [PICKED_UP, RETURNED],
            [PICKED_UP, DELIVERED],
          ],
          ['completed', 10, 'complete', '5'],
        ],
        [
          [
            [PICKED_UP, RETURNED],
            [PICKED_UP, RETURNED],
          ],
          ['completed', 2, 'complete', '4'],
        ],
        [
          [[CANCELLED], [CANCELLED]],
          ['cancelled', 5, 'canceled', '6'],
        ],
      ];
      for (const [parcels, states] of cases)
        for (const order of [parcels, parcels.toReversed()])
          expect(statesOf(...order), JSON.stringify(order)).to.deep.equal(states);
    });

    it('is never complete for callers without access to the order', () => {
      for (const given of [[PICKED_UP], [PICKED_UP, DELIVERED], [PICKED_UP, RETURNED]]) {
        const journey = journeyWith(given);
        expect(woocommerceOrder(journey, CONTEXT)).to.include({ status: 'processing', date_completed: null });
        expect(bigcommerceOrder(journey, CONTEXT).order).to.include({ status_id: 3 });
        expect(magentoOrder(journey).order).to.include({ state: 'processing' });
        expect(prestashopOrder(journey).order).to.include({ current_state: '3' });
      }
    });
  });

  it('contain the reference of the shop, and no id of this service in a key of the shop (formats F2)', () => {
    const journey = journeyWith([PICKED_UP], { order_id: '25' });
    const withRef = { ...CONTEXT, order: orderOf(journey) };
    const withoutRef = { ...CONTEXT, order: orderOf(journey, { order_ref: null }) };
    for (const context of [CONTEXT, withoutRef]) {
      expect(woocommerceOrder(journey, context)).to.not.have.property('number');
      expect(prestashopOrder(journey, context).order).to.not.have.property('reference');
      expect(bigcommerceOrder(journey, context).order).to.not.have.property('external_id');
      expect(magentoOrder(journey, context).order).to.not.have.property('increment_id');
      expect(walmartOrder(journey, context).order).to.not.have.property('purchaseOrderId');
    }
    expect(woocommerceOrder(journey, withRef)).to.include({ number: '1000234' });
    expect(prestashopOrder(journey, withRef).order).to.include({ reference: '1000234' });
    expect(bigcommerceOrder(journey, withRef).order).to.include({ external_id: '1000234' });
    expect(magentoOrder(journey, withRef).order).to.include({ increment_id: '1000234' });
    expect(walmartOrder(journey, withRef).order).to.include({ purchaseOrderId: '1000234' });
    const keys = (value: unknown) => JSON.stringify(value).match(/"(?:order_id|id_order)":/g);
    for (const context of [CONTEXT, withRef, withoutRef]) {
      expect(keys(magentoOrder(journey, context))).to.equal(null);
      expect(keys(prestashopOrder(journey, context))).to.equal(null);
    }
    expect(shopifyEvents(journey)[0]!.order_id).to.not.equal(25);
  });
});
