/** One whole document per platform, written by hand and compiled against the vendors' types where there are any. */
import type { Tracking } from '@aftership/tracking-sdk/dist/model/Tracking.js';
import { expect } from 'chai';
import type Shopify from 'shopify-api-node';
import type { Track$Outbound } from 'shippo/models/components/track.js';
import type { Journey } from '../../src/events/otep/model.js';
import { aftershipTracking } from '../../src/serializers/aftership.js';
import { bigcommerceOrder } from '../../src/serializers/bigcommerce.js';
import { magentoOrder } from '../../src/serializers/magento.js';
import { prestashopOrder } from '../../src/serializers/prestashop.js';
import { shippoTrack } from '../../src/serializers/shippo.js';
import { shopifyEvents } from '../../src/serializers/shopify.js';
import { walmartOrder } from '../../src/serializers/walmart.js';
import { woocommerceOrder } from '../../src/serializers/woocommerce.js';
import { journeyWith, orderOf } from '../support/inputs/example-journey.js';
import type { Wire } from '../support/validators/validate.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
const LINK = 'https://tms.example/api/v1/otep/trackings/OT123456789';

const journey: Journey = journeyWith(
  [
    {
      status_code: 'picked_up',
      occurred_at: '2026-03-01T08:30:15.25-05:00',
      location: {
        name: 'Pier 7',
        city: 'New York',
        region: 'NY',
        postal_code: '10011',
        country: 'US',
        latitude: 40.74,
        longitude: -74.01,
      },
    },
    {
      status_code: 'delivered',
      occurred_at: '2026-03-03T16:00:00Z',
      description: 'Left with Réka 📦',
      proof: { kind: 'photo', url: 'https://carrier.example/p/1' },
    },
  ],
  { order_id: '450789469' },
);
const [first, second] = journey.timeline.events.map((event) => event.event_id.replaceAll('-', '')) as [string, string];

/**
 * The SDK types coordinates as strings and lacks `gid`. The documentation and examples of the vendor have numbers and a
 * gid.
 */
type FulfillmentEvent = Omit<Shopify.IFulfillmentEvent, 'latitude' | 'longitude'> & {
  latitude: number | null;
  longitude: number | null;
  admin_graphql_api_id: string;
};

const IN_ORDER = { ...CONTEXT, order: orderOf(journey) };

describe('platform documents', () => {
  it('aftership: compiles as the Tracking of the SDK', () => {
    const compiled: Wire<Tracking> = aftershipTracking(journey);
    const { id, ...tracking } = compiled;
    expect(id).to.match(/^[0-9a-f]{32}$/);
    expect(tracking).to.deep.equal({
      tracking_number: 'OT123456789',
      active: false,
      custom_fields: { otep_status: 'otep:parcel:delivered' },
      order_id: '450789469',
      shipment_pickup_date: '2026-03-01T08:30:15-05:00',
      shipment_delivery_date: '2026-03-03T16:00:00+00:00',
      tag: 'Delivered',
      subtag: 'Delivered_001',
      subtag_message: 'Delivered',
      title: 'OT123456789',
      checkpoints: [
        {
          checkpoint_time: '2026-03-01T08:30:15-05:00',
          location: 'Pier 7',
          city: 'New York',
          state: 'NY',
          postal_code: '10011',
          coordinate: { latitude: 40.74, longitude: -74.01 },
          country_region: 'USA',
          country_region_name: null,
          message: 'Picked up',
          tag: 'InTransit',
          subtag: 'InTransit_002',
          subtag_message: 'Acceptance scan',
          raw_tag: 'otep:parcel:picked_up',
          events: [],
          source: 'carrier',
          hash: first,
          slug: 'demo-carrier',
          created_at: '2026-03-20T00:00:00+00:00',
        },
        {
          checkpoint_time: '2026-03-03T16:00:00+00:00',
          location: null,
          city: null,
          state: null,
          postal_code: null,
          coordinate: null,
          country_region: null,
          country_region_name: null,
          message: 'Left with Réka 📦',
          tag: 'Delivered',
          subtag: 'Delivered_001',
          subtag_message: 'Delivered',
          raw_tag: 'otep:parcel:delivered',
          events: [],
          source: 'carrier',
          hash: second,
          slug: 'demo-carrier',
          created_at: '2026-03-20T00:00:00+00:00',
        },
      ],
      return_to_sender: false,
      first_attempted_at: '2026-03-03T16:00:00+00:00',
      failed_delivery_attempts: 0,
      proof_of_delivery: [{ type: 'photo', url: 'https://carrier.example/p/1' }],
      slug: 'demo-carrier',
      created_at: '2026-03-20T00:00:00+00:00',
      updated_at: '2026-03-20T00:00:00+00:00',
    } satisfies Wire<Tracking>);
  });

  it('shopify: compiles as the fulfillment events of the REST client', () => {
    const compiled: FulfillmentEvent[] = shopifyEvents(journey);
    const { id, fulfillment_id, shop_id, order_id } = compiled[0]!;
    expect(
      [id, fulfillment_id, shop_id, order_id].every((number) => Number.isSafeInteger(number) && number > 0),
    ).to.equal(true);
    expect(compiled[0]).to.deep.equal({
      id,
      fulfillment_id,
      status: 'in_transit',
      message: 'Picked up',
      happened_at: '2026-03-01T08:30:15-05:00',
      city: 'New York',
      province: 'NY',
      country: 'US',
      zip: '10011',
      address1: null,
      latitude: 40.74,
      longitude: -74.01,
      shop_id,
      created_at: '2026-03-20T00:00:00+00:00',
      updated_at: '2026-03-20T00:00:00+00:00',
      estimated_delivery_at: null,
      order_id,
      admin_graphql_api_id: `gid://shopify/FulfillmentEvent/${id}`,
    } satisfies FulfillmentEvent);
    expect(compiled[1]).to.deep.include({ fulfillment_id, shop_id, status: 'delivered', city: null, latitude: null });
  });

  it('shippo: compiles as the output of the SDK', () => {
    const compiled: Track$Outbound = shippoTrack(journey);
    const delivered = {
      object_id: second,
      object_created: '2026-03-20T00:00:00.000Z',
      object_updated: '2026-03-20T00:00:00.000Z',
      status: 'DELIVERED',
      status_details: 'Left with Réka 📦',
      status_date: '2026-03-03T16:00:00.000Z',
      substatus: { code: 'delivered', text: 'Package has been delivered.', action_required: false },
    };
    expect(compiled).to.deep.equal({
      carrier: 'demo-carrier',
      tracking_number: 'OT123456789',
      messages: [],
      tracking_history: [
        {
          object_id: first,
          object_created: '2026-03-20T00:00:00.000Z',
          object_updated: '2026-03-20T00:00:00.000Z',
          status: 'TRANSIT',
          status_details: 'Picked up',
          status_date: '2026-03-01T13:30:15.250Z',
          substatus: {
            code: 'package_accepted',
            text: 'Package has been accepted into the carrier network for delivery.',
            action_required: false,
          },
          location: { city: 'New York', state: 'NY', zip: '10011', country: 'US' },
        },
        delivered,
      ],
      tracking_status: delivered,
      metadata: 'otep:parcel:delivered',
    } satisfies Track$Outbound);
  });

  it('walmart', () => {
    expect(walmartOrder(journey, CONTEXT)).to.deep.equal({
      order: {
        orderLines: {
          orderLine: [
            {
              lineNumber: '1',
              orderLineQuantity: { unitOfMeasurement: 'EACH', amount: '1' },
              statusDate: Date.UTC(2026, 2, 3, 16),
              orderLineStatuses: {
                orderLineStatus: [
                  {
                    status: 'Delivered',
                    statusQuantity: { unitOfMeasurement: 'EACH', amount: '1' },
                    trackingInfo: {
                      shipDateTime: Date.UTC(2026, 2, 1, 13, 30, 15, 250),
                      carrierName: { otherCarrier: 'demo-carrier' },
                      methodCode: 'Standard',
                      trackingNumber: 'OT123456789',
                      trackingURL: LINK,
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    });
  });

  it('woocommerce', () => {
    const order = woocommerceOrder(journey, IN_ORDER);
    const [tracking, ...others] = order.meta_data;
    const [item] = tracking!.value as readonly { readonly tracking_id: string }[];
    expect(item!.tracking_id).to.match(/^[0-9a-f]{32}$/);
    expect(tracking).to.deep.equal({
      key: '_wc_shipment_tracking_items',
      value: [
        {
          tracking_provider: '',
          custom_tracking_provider: 'demo-carrier',
          custom_tracking_link: LINK,
          tracking_number: 'OT123456789',
          date_shipped: Date.UTC(2026, 2, 1, 13, 30, 15) / 1000,
          tracking_id: item!.tracking_id,
        },
      ],
    });
    expect({ ...order, meta_data: others }).to.deep.equal({
      number: '1000234',
      status: 'completed',
      date_completed: '2026-03-01T13:30:15',
      date_completed_gmt: '2026-03-01T13:30:15',
      meta_data: [
        { key: 'otep_tracking_number', value: 'OT123456789' },
        { key: 'otep_status', value: 'otep:parcel:delivered' },
        { key: 'otep_proof_of_delivery', value: [{ type: 'photo', url: 'https://carrier.example/p/1' }] },
      ],
    });
  });

  it('bigcommerce', () => {
    expect(bigcommerceOrder(journey, IN_ORDER)).to.deep.equal({
      order: {
        status_id: 10,
        status: 'Completed',
        date_shipped: 'Sun, 01 Mar 2026 13:30:15 +0000',
        external_id: '1000234',
      },
      shipments: [
        {
          date_created: 'Sun, 01 Mar 2026 13:30:15 +0000',
          tracking_number: 'OT123456789',
          comments: 'otep:parcel:delivered\nphoto: https://carrier.example/p/1',
          shipping_provider_display_name: 'demo-carrier',
          tracking_link: LINK,
          shipping_provider: '',
          tracking_carrier: '',
        },
      ],
    });
  });

  it('magento', () => {
    const comment = (text: string, created_at: string, code: string) => ({
      is_customer_notified: 0,
      comment: text,
      is_visible_on_front: 0,
      created_at,
      extension_attributes: { otep_status: `otep:parcel:${code}` },
    });
    expect(magentoOrder(journey, IN_ORDER)).to.deep.equal({
      order: {
        state: 'complete',
        status: 'complete',
        increment_id: '1000234',
        ext_order_id: '25',
        created_at: '2026-02-28 10:00:00',
        updated_at: '2026-03-01 07:30:00',
        extension_attributes: { otep_status: 'otep:parcel:delivered' },
      },
      shipments: [
        {
          created_at: '2026-03-01 13:30:15',
          items: [],
          tracks: [
            {
              created_at: '2026-03-01 13:30:15',
              track_number: 'OT123456789',
              title: 'demo-carrier',
              carrier_code: 'custom',
            },
          ],
          comments: [
            comment('Picked up', '2026-03-01 13:30:15', 'picked_up'),
            comment('Left with Réka 📦\nphoto: https://carrier.example/p/1', '2026-03-03 16:00:00', 'delivered'),
          ],
          extension_attributes: { otep_status: 'otep:parcel:delivered' },
        },
      ],
    });
  });

  it('prestashop', () => {
    expect(prestashopOrder(journey, IN_ORDER)).to.deep.equal({
      order: {
        current_state: '5',
        shipping_number: 'OT123456789',
        reference: '1000234',
        note: 'otep:parcel:delivered\nphoto: https://carrier.example/p/1',
      },
      order_histories: [
        { id_order_state: '4', date_add: '2026-03-01 13:30:15' },
        { id_order_state: '5', date_add: '2026-03-03 16:00:00' },
      ],
    });
  });
});
