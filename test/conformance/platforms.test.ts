/** The platform formats: content that none of them may have, and a check that their validators detect errors. */
import { expect } from 'chai';
import fc from 'fast-check';
import { journeyOf } from '../../src/events/otep/identity.js';
import type { Journey } from '../../src/events/otep/model.js';
import type { Format } from '../../src/serializers/format.js';
import { FORMATS } from '../../src/serializers/index.js';
import { example, orderOf } from '../support/inputs/example-journey.js';
import { journey } from '../support/inputs/timelines.js';
import { validateAftership } from '../support/validators/aftership.js';
import { validateBigcommerce } from '../support/validators/bigcommerce.js';
import { validateMagento } from '../support/validators/magento.js';
import { validatePrestashop } from '../support/validators/prestashop.js';
import { validateShippo } from '../support/validators/shippo.js';
import { validateShopify } from '../support/validators/shopify.js';
import type { Validate } from '../support/validators/validate.js';
import { validateWalmart } from '../support/validators/walmart.js';
import { validateWoocommerce } from '../support/validators/woocommerce.js';
import { runs } from '../support/depth.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
const RUNS = { numRuns: runs(100) };

/** A broken variant is the text of a valid document with one pattern replaced. */
interface Platform {
  readonly validate: Validate;
  readonly broken: Readonly<Record<string, readonly [good: string | RegExp, bad: string]>>;
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  aftership: {
    validate: validateAftership,
    broken: {
      'a tag outside the list': ['"tag":"InTransit"', '"tag":"Shipped"'],
      'a sub-status outside the list': ['"subtag":"InTransit_002"', '"subtag":"InTransit_099"'],
      'a legacy member': ['"postal_code":', '"zip":'],
      'an empty location': ['"city":"Hamburg"', '"city":""'],
      'an alpha-2 country': ['"DEU"', '"DE"'],
      'a time with fractions': ['T08:00:00+01:00', 'T08:00:00.000+01:00'],
    },
  },
  shopify: {
    validate: validateShopify,
    broken: {
      'a status of GraphQL': ['"status":"in_transit"', '"status":"carrier_picked_up"'],
      'an upper-case status': ['"status":"delivered"', '"status":"DELIVERED"'],
      'an id as a string': [/"shop_id":(\d+)/, '"shop_id":"$1"'],
      'a missing member': ['"address1":null,', ''],
      'a gid of another event': ['FulfillmentEvent/', 'FulfillmentEvent/1'],
    },
  },
  shippo: {
    validate: validateShippo,
    broken: {
      'a status outside the list': ['"status":"TRANSIT"', '"status":"IN_TRANSIT"'],
      'a null': ['"city":"Hamburg"', '"city":null'],
      'a time without a zone': [/"status_date":"([^"]*)Z"/, '"status_date":"$1"'],
      'a member with another name': ['"zip":', '"postal_code":'],
      'no messages': ['"messages":[],', ''],
    },
  },
  walmart: {
    validate: validateWalmart,
    broken: {
      'a status outside the list': ['"Delivered"', '"Returned"'],
      'seconds instead of milliseconds': [/"statusDate":(\d+)\d{3}/, '"statusDate":$1'],
      'a quantity as a number': ['"amount":"1"', '"amount":1'],
      'another carrier without an address': [/,"trackingURL":"[^"]*"/, ''],
      'a carrier outside the list': ['"otherCarrier"', '"carrier"'],
    },
  },
  woocommerce: {
    validate: validateWoocommerce,
    broken: {
      'a status of a plugin': ['"completed"', '"delivered"'],
      'a time with a zone': [/"date_completed":"([^"]*)"/, '"date_completed":"$1Z"'],
      'a ship date as a string': [/"date_shipped":(\d+)/, '"date_shipped":"$1"'],
      'no completion date': [/"date_completed_gmt":"[^"]*"/, '"date_completed_gmt":null'],
    },
  },
  bigcommerce: {
    validate: validateBigcommerce,
    broken: {
      'an id with the name of another status': ['"status_id":10', '"status_id":2'],
      'an ISO date': [/"date_shipped":"[^"]*"/, '"date_shipped":"2026-03-01T10:00:00Z"'],
      'an unknown provider': ['"shipping_provider":""', '"shipping_provider":"acme"'],
      'no shipment': [/"shipments":\[.*\]/, '"shipments":[]'],
    },
  },
  magento: {
    validate: validateMagento,
    broken: {
      'a status of another state': ['"state":"complete"', '"state":"new"'],
      'an ISO time': [/"created_at":"(\S+) ([^"]*)"/, '"created_at":"$1T$2"'],
      'an unknown carrier code': ['"carrier_code":"custom"', '"carrier_code":"demo-carrier"'],
      'an order id of this service': [/"created_at"/, '"order_id":25,"created_at"'],
    },
  },
  prestashop: {
    validate: validatePrestashop,
    broken: {
      'a state as a number': ['"current_state":"5"', '"current_state":5'],
      'a state that the history does not reach': ['"current_state":"5"', '"current_state":"4"'],
      'an ISO time': [/"date_add":"(\S+) ([^"]*)"/, '"date_add":"$1T$2"'],
      'an order id of this service': [/"id_order_state"/, '"id_order":"25","id_order_state"'],
    },
  },
};

/**
 * Half of the journeys as the service stores them, half as documents that were never stored: no carrier, no recording
 * times.
 */
const anyJourney = fc.tuple(journey(), fc.boolean()).map(([one, stored]) => (stored ? one : documentOf(one)));

function documentOf({ timeline }: Journey): Journey {
  return journeyOf({ ...timeline, events: timeline.events.map(({ recorded_at: _, ...event }) => event) });
}

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const formatOf = (name: string): Format => FORMATS.find((format) => format.name === name)!;

describe('platform formats', () => {
  for (const [name, { validate, broken }] of Object.entries(PLATFORMS)) {
    describe(name, () => {
      const { serialize, events } = formatOf(name);

      it('contains nothing that JSON drops', () => {
        fc.assert(
          fc.property(anyJourney, (one) => {
            const value = serialize(one, CONTEXT);
            expect(roundTrip(value)).to.deep.equal(value);
          }),
          RUNS,
        );
      });

      it('never contains a money event', () => {
        const money =
          /"(?:Refund|refunded|Refunded|Partially Refunded|closed)"|"current_state":"[27]"|"id_order_state":"[27]"/;
        fc.assert(
          fc.property(anyJourney, (one) => {
            expect(JSON.stringify(serialize(one, CONTEXT))).not.to.match(money);
          }),
          RUNS,
        );
      });

      if (events) {
        it('returns its list of events alone', () => {
          const whole = serialize(example(), CONTEXT) as Record<string, unknown>;
          expect(Object.values(whole).filter(Array.isArray)).to.deep.include(events(example(), CONTEXT));
        });
      }

      for (const [what, [good, bad]] of Object.entries(broken)) {
        it(`has a validator that detects ${what}`, () => {
          const text = JSON.stringify(serialize(example(), { ...CONTEXT, order: orderOf(example()) }));
          expect(validate(JSON.parse(text)), 'before').to.deep.equal([]);
          const wrong = text.replace(good, bad);
          expect(wrong, 'the variant differs').not.to.equal(text);
          expect(validate(JSON.parse(wrong))).not.to.deep.equal([]);
        });
      }
    });
  }
});
