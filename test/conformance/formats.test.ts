/** Every format against the validator of its standard or vendor, for generated journeys (B1). */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from 'mocha';
import { checkDocument } from '../../src/events/otep/check/document.js';
import { LIMITS } from '../../src/events/otep/check/limits.js';
import { journeyOf } from '../../src/events/otep/identity.js';
import { IDENTIFIERS, type Journey, type Subject } from '../../src/events/otep/model.js';
import { FORMATS } from '../../src/serializers/index.js';
import { trackingAddress } from '../../src/serializers/support/parcel.js';
import { expandSafely, needs, officialSchema } from '../support/inputs/epcis.js';
import { copyOf, journeyWith } from '../support/inputs/journeys.js';
import { orderOf } from '../support/inputs/example-journey.js';
import { journeysOf, networkJourneysOf, pushes } from '../support/inputs/recorded-lives.js';
import { journey, NOW, subject } from '../support/inputs/timelines.js';
import { validateAftership } from '../support/validators/aftership.js';
import { validateBigcommerce } from '../support/validators/bigcommerce.js';
import { validateMagento } from '../support/validators/magento.js';
import { needsOfficial } from '../support/validators/official.js';
import { ONE_RECORD_FILES, oneRecordValidator } from '../support/validators/onerecord.js';
import { otlpErrors } from '../support/validators/otlp.js';
import { validatePrestashop } from '../support/validators/prestashop.js';
import { sensorThingsErrors } from '../support/validators/sensorthings.js';
import { validateShippo } from '../support/validators/shippo.js';
import { validateShopify } from '../support/validators/shopify.js';
import { linkedDataValidator, statusReportValidator, UNCEFACT_FILES } from '../support/validators/uncefact.js';
import { validateWalmart } from '../support/validators/walmart.js';
import { validateWoocommerce } from '../support/validators/woocommerce.js';
import { runs } from '../support/depth.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
/** The number of journeys whose EPCIS output is validated against the ratified schema. */
const EPCIS_JOURNEYS = runs(500);
/** The number for each other format. */
const JOURNEYS = runs(200);

/** The errors of a document, one line each. */
type Judge = (document: unknown, journey: Journey) => readonly string[] | Promise<readonly string[]>;

interface Row {
  /** Skips the test with a reason if the official files are missing. */
  readonly needs?: (test: Context) => void;
  /** Created once for all journeys. */
  readonly judge: () => Judge;
  /** The validators of the format's variants, in the order of the variants. */
  readonly variants?: readonly (() => Judge)[];
}

const epcisJudge = (): Judge => {
  const valid = officialSchema();
  return async (document) =>
    valid(document)
      ? (await expandSafely(document)).length === 1
        ? []
        : ['expands to nothing']
      : [JSON.stringify(valid.errors?.[0])];
};

const oneRecordJudge = (): Judge => {
  const errorsOf = oneRecordValidator();
  return (document, of) =>
    errorsOf(document as Parameters<typeof errorsOf>[0], `${trackingAddress(of, CONTEXT)}?format=onerecord`);
};

const TABLE: Readonly<Record<string, Row>> = {
  otep: {
    judge: () => (document) => checkDocument(document, { now: NOW }).errors.map(({ code, path }) => `${path}: ${code}`),
  },
  epcis: { needs: (test) => needs(test, 'standards'), judge: epcisJudge },
  onerecord: { needs: (test) => needsOfficial(test, ...ONE_RECORD_FILES), judge: oneRecordJudge },
  uncefact: {
    needs: (test) => needsOfficial(test, ...UNCEFACT_FILES),
    judge: statusReportValidator,
    variants: [linkedDataValidator],
  },
  otlp: { judge: () => otlpErrors },
  sensorthings: { judge: () => sensorThingsErrors },
  aftership: { judge: () => validateAftership },
  shopify: { judge: () => validateShopify },
  shippo: { judge: () => validateShippo },
  walmart: { judge: () => validateWalmart },
  woocommerce: { judge: () => validateWoocommerce },
  bigcommerce: { judge: () => validateBigcommerce },
  magento: { judge: () => validateMagento },
  prestashop: { judge: () => validatePrestashop },
};

const LONGEST = {
  tracking_number: 'T'.repeat(LIMITS.trackingNumber),
  package_id: '包'.repeat(LIMITS.identifier),
  order_id: 'o'.repeat(LIMITS.identifier),
};

/** A parcel may be known by any of its identifiers alone; in public also by its tracking's. */
const anySubject: fc.Arbitrary<Subject> = fc
  .tuple(subject, fc.webUrl(), fc.subarray([...IDENTIFIERS], { minLength: 1 }), fc.boolean())
  .map(([given, external_tracking_number, names, long]) =>
    Object.fromEntries(
      Object.entries({
        piece_id: 'piece 7/ü',
        gs1_sscc: '340123450000000000',
        order_id: 'A-17',
        package_id: '1',
        ...given,
        ...(long && LONGEST),
        external_tracking_number,
      }).filter(([name]) => (names as readonly string[]).includes(name)),
    ),
  );

/**
 * Half of the journeys as the service stores them, half as documents that were never stored: no carrier, no recording
 * times.
 */
const anyJourney = fc.tuple(journey(), fc.option(anySubject), fc.boolean()).map(([one, about, stored]) => {
  const named = about ? { ...one, timeline: { ...one.timeline, subject: about } } : one;
  return stored ? named : documentOf(named);
});

function documentOf({ timeline, retracted }: Journey): Journey {
  return journeyOf({ ...timeline, events: timeline.events.map(({ recorded_at: _, ...event }) => event) }, retracted);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('formats', () => {
  it('are all in the table', () => expect(FORMATS.map(({ name }) => name)).to.deep.equal(Object.keys(TABLE)));

  for (const format of FORMATS) {
    describe(format.name, () => {
      const row = TABLE[format.name]!;
      before(function () {
        row.needs?.(this);
      });

      const journeys = format.name === 'epcis' ? EPCIS_JOURNEYS : JOURNEYS;
      const representations = [format, ...(format.variants ?? [])];
      representations.forEach(({ mediaType, serialize }, index) => {
        it(`${mediaType}: its validator accepts ${journeys} generated journeys, and the same journey gives the same bytes`, async () => {
          const judge = [row.judge, ...(row.variants ?? [])][index]!();
          await fc.assert(
            fc.asyncProperty(anyJourney, async (any) => {
              const value = serialize(any, CONTEXT);
              expect(await judge(plain(value), any)).to.deep.equal([]);
              expect(JSON.stringify(serialize(copyOf(any), CONTEXT))).to.equal(JSON.stringify(value));
            }),
            { numRuns: journeys },
          );
        });
      });

      it('its validator accepts the merged scans of two carriers of a network', async () => {
        const judge = row.judge();
        await fc.assert(
          fc.asyncProperty(pushes, async (pushed) => {
            for (const one of await networkJourneysOf(pushed))
              expect(await judge(plain(format.serialize(one, CONTEXT)), one)).to.deep.equal([]);
          }),
          { numRuns: runs(50) },
        );
      });

      it('its validator accepts amended, retracted and reused scans, and orders of several parcels, in both views', async () => {
        const judge = row.judge();
        await fc.assert(
          fc.asyncProperty(pushes, async (pushed) => {
            const recorded = await journeysOf(pushed);
            for (const [index, one] of recorded.entries()) {
              const parcels = recorded.map(({ timeline }) => timeline.events);
              // Callers with the full view may read the order.
              const order = index % 2 === 1 && format.includesOrder ? orderOf(one, { parcels }) : undefined;
              expect(await judge(plain(format.serialize(one, { ...CONTEXT, order })), one)).to.deep.equal([]);
            }
          }),
          { numRuns: runs(100) },
        );
      });
    });
  }

  describe('the validator of epcis', () => {
    before(function () {
      needs(this, 'standards');
    });

    for (const [what, good, bad] of [
      ['an unknown term', '"bizStep":"receiving"', '"bizStep":"delivering"'],
      ['an unknown member', '"action":', '"status_code":"delivered","action":'],
    ] as const) {
      it(`detects ${what}`, async () => {
        const of = journeyWith([{ status_code: 'delivered' }]);
        const text = JSON.stringify(FORMATS[1]!.serialize(of, CONTEXT));
        expect(await epcisJudge()(JSON.parse(text), of)).to.deep.equal([]);
        expect(text).to.include(good);
        expect(await epcisJudge()(JSON.parse(text.replace(good, bad)), of)).not.to.deep.equal([]);
      });
    }
  });
});
