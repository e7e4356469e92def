/** Every format against the judge of its standard or vendor, for generated journeys (B1); and what a further format takes (B5). */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from 'mocha';
import { chooseFormat } from '../../src/api/otep/formats.js';
import { otepReading } from '../../src/api/operations/otep-reading.js';
import type { TimelineReader } from '../../src/api/otep/timelines.js';
import { checkDocument } from '../../src/events/otep/check/document.js';
import { journeyOf } from '../../src/events/otep/identity.js';
import type { Journey } from '../../src/events/otep/model.js';
import type { Format } from '../../src/serializers/format.js';
import { FORMATS } from '../../src/serializers/index.js';
import { trackingAddress } from '../../src/serializers/support/address.js';
import { expandSafely, needs, officialSchema } from '../support/epcis.js';
import { copyOf, journeyWith } from '../support/journeys.js';
import { journey, NOW } from '../support/timelines.js';
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

const CONTEXT = { baseUrl: 'https://tms.example' };

/** What is wrong with a document, one line each. */
type Judge = (document: unknown, journey: Journey) => readonly string[] | Promise<readonly string[]>;

interface Row {
  /** Skips, saying why, where the official files are absent. */
  readonly needs?: (test: Context) => void;
  /** Made once for all journeys. */
  readonly judge: () => Judge;
  /** The judges of the format's variants, in their order. */
  readonly variants?: readonly (() => Judge)[];
}

const epcisJudge = (): Judge => {
  const valid = officialSchema();
  return async (document) => (valid(document) ? ((await expandSafely(document)).length === 1 ? [] : ['expands to nothing']) : [JSON.stringify(valid.errors?.[0])]);
};

const oneRecordJudge = (): Judge => {
  const errorsOf = oneRecordValidator();
  return (document, of) => errorsOf(document as Parameters<typeof errorsOf>[0], `${trackingAddress(of, CONTEXT)}?format=onerecord`);
};

const TABLE: Readonly<Record<string, Row>> = {
  otep: { judge: () => (document) => checkDocument(document, { now: NOW }).errors.map(({ code, path }) => `${path}: ${code}`) },
  epcis: { needs: (test) => needs(test, 'standards'), judge: epcisJudge },
  onerecord: { needs: (test) => needsOfficial(test, ...ONE_RECORD_FILES), judge: oneRecordJudge },
  uncefact: { needs: (test) => needsOfficial(test, ...UNCEFACT_FILES), judge: statusReportValidator, variants: [linkedDataValidator] },
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

/** Half of the journeys as the service keeps them, half as documents that were never stored: no carrier, no record times. */
const anyJourney = fc.tuple(journey(), fc.boolean()).map(([one, stored]) => (stored ? one : documentOf(one)));

function documentOf({ timeline, retracted }: Journey): Journey {
  return journeyOf({ ...timeline, events: timeline.events.map(({ recorded_at: _, ...event }) => event) }, retracted);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('formats', () => {
  it('are all in the table', () => expect(FORMATS.map(({ name }) => name)).to.deep.equal(Object.keys(TABLE)));

  for (const format of FORMATS) {
    describe(format.name, () => {
      const row = TABLE[format.name]!;
      before(function () { row.needs?.(this); });

      const representations = [format, ...(format.variants ?? [])];
      representations.forEach(({ mediaType, serialize }, index) => {
        it(`${mediaType}: its judge takes 300 generated journeys, and the same journey gives the same bytes`, async () => {
          const judge = [row.judge, ...(row.variants ?? [])][index]!();
          await fc.assert(fc.asyncProperty(anyJourney, async (any) => {
            const value = serialize(any, CONTEXT);
            expect(await judge(plain(value), any)).to.deep.equal([]);
            expect(JSON.stringify(serialize(copyOf(any), CONTEXT))).to.equal(JSON.stringify(value));
          }), { numRuns: 300 });
        }).timeout(120_000);
      });
    });
  }

  describe('the judge of epcis', () => {
    before(function () { needs(this, 'standards'); });

    for (const [what, good, bad] of [['a word that is none', '"bizStep":"receiving"', '"bizStep":"delivering"'], ['a member of nobody', '"action":', '"status_code":"delivered","action":']] as const) {
      it(`sees ${what}`, async () => {
        const of = journeyWith([{ status_code: 'delivered' }]);
        const text = JSON.stringify(FORMATS[1]!.serialize(of, CONTEXT));
        expect(await epcisJudge()(JSON.parse(text), of)).to.deep.equal([]);
        expect(text).to.include(good);
        expect(await epcisJudge()(JSON.parse(text.replace(good, bad)), of)).not.to.deep.equal([]);
      });
    }
  });

  describe('a fifteenth', () => {
    const fifteenth: Format = {
      name: 'plain', mediaType: 'text/plain', standard: 'A line of text', version: '1', revision: 1, direction: 'out', lost: ['almost all'],
      serialize: ({ timeline }) => ({ line: `${timeline.subject.tracking_number}: ${timeline.current_status}` }),
    };
    const formats = [...FORMATS, fifteenth];
    const of = journeyWith([{ status_code: 'delivered' }]);
    const reader = { find: () => Promise.resolve({}), journey: () => Promise.resolve({ journey: of }) } as unknown as TimelineReader;
    const operations = otepReading({ reader, formats, baseUrl: () => CONTEXT.baseUrl });
    const run = (name: string, input: object) => {
      const { input: schema, run } = operations.find((one) => one.name === name)!;
      return run(schema.parse(input) as never, { caller: { role: 'anonymous' }, header: () => undefined } as never) as Promise<Record<string, unknown>>;
    };

    it('is one object and one line: listed, chosen by name and by media type, and told', async () => {
      const { formats: listed } = await run('otepFormats', {}) as unknown as { formats: readonly { name: string; profile: string }[] };
      expect(listed.at(-1)).to.deep.include({ name: 'plain', profile: 'urn:otep:format:plain' });
      expect(chooseFormat(formats, 'plain', undefined).format).to.equal(fifteenth);
      expect(chooseFormat(formats, undefined, 'text/plain').format).to.equal(fifteenth);
      expect(chooseFormat(formats, undefined, 'application/json; profile=plain').format).to.equal(fifteenth);
      const { trackings } = await run('otepTrackingBatch', { tracking_numbers: ['JD014600001'], format: 'plain' });
      expect(trackings).to.deep.equal([{ tracking_number: 'JD014600001', timeline: { line: 'JD014600001: delivered' } }]);
    });
  });
});
