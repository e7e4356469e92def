import { expect } from 'chai';
import { onerecord } from '../../src/serializers/onerecord.js';
import type { Journey } from '../../src/events/otep/model.js';
import { journeyWith } from '../support/inputs/journeys.js';
import { needsOfficial } from '../support/validators/official.js';
import { ONE_RECORD_FILES, oneRecordValidator } from '../support/validators/onerecord.js';

const context = { baseUrl: 'https://tracking.example' };
const address = (number: string) => `https://tracking.example/api/v1/otep/trackings/${number}?format=onerecord`;
const NUMBER = 'JD014600001';
const IATA = 'https://onerecord.iata.org/ns/code-lists/StatusCode#';
const REC24 = 'https://vocabulary.uncefact.org/LogisticsStatusCodeList#';

interface Node {
  [member: string]: unknown;
  '@id'?: string;
}
const write = (journey: Journey) => JSON.parse(JSON.stringify(onerecord.serialize(journey, context))) as Node;
const only = (journey: Journey) => write(journey)['api:hasItem'] as Node;
const one = (status_code: string, rest: object = {}) => only(journeyWith([{ status_code, ...rest }]));

describe('ONE Record', () => {
  describe('against the official ontologies', () => {
    let errorsOf: ReturnType<typeof oneRecordValidator>;
    before(function () {
      needsOfficial(this, ...ONE_RECORD_FILES);
      errorsOf = oneRecordValidator();
    });

    const geolocationOf = (event: Node) => (event['cargo:eventLocation'] as Node)['cargo:geolocation'] as Node;
    const broken: readonly (readonly [string, (event: Node, collection: Node) => void, RegExp])[] = [
      [
        'a term of the 3.0 ontology',
        (event) => {
          event['cargo:linkedObject'] = event['cargo:eventFor'];
        },
        /unknown term .*linkedObject/,
      ],
      [
        'an invented term',
        (event) => {
          event['cargo:remark'] = 'x';
        },
        /unknown term .*remark/,
      ],
      [
        'a term of another class',
        (event) => {
          event['cargo:locationName'] = 'Hamburg';
        },
        /locationName does not belong to/,
      ],
      [
        'an undeclared prefix',
        (event) => {
          event['status'] = 'x';
        },
        /not JSON-LD/,
      ],
      [
        'a time as plain text',
        (event) => {
          event['cargo:eventDate'] = '2026-01-02T03:04:05Z';
        },
        /eventDate: .*XMLSchema#string, not/,
      ],
      [
        'a local time',
        (event) => {
          (event['cargo:eventDate'] as Node)['@value'] = '2026-01-02T03:04:05+01:00';
        },
        /not in UTC/,
      ],
      [
        'a time type as text',
        (event) => {
          event['cargo:eventTimeType'] = 'cargo:ACTUAL';
        },
        /eventTimeType: "cargo:ACTUAL" is not a node/,
      ],
      [
        'a code as text',
        (event) => {
          event['cargo:eventCode'] = 'DDL';
        },
        /eventCode: "DDL" is not a node/,
      ],
      [
        'an invented StatusCode',
        (event) => {
          event['cargo:eventCode'] = { '@id': `${IATA}OFD` };
        },
        /StatusCode#OFD is not a/,
      ],
      [
        'a Rec 24 number that does not exist',
        (event) => {
          event['cargo:eventCode'] = { '@id': `${REC24}42` };
        },
        /#42 is not a/,
      ],
      [
        'a node without an id',
        (event) => {
          delete (event['cargo:eventLocation'] as Node)['@id'];
        },
        /no @id/,
      ],
      [
        'a missing object',
        (event) => {
          delete event['cargo:eventFor'];
        },
        /eventFor stands 0 times/,
      ],
      [
        'two codes',
        (event) => {
          event['cargo:eventCode'] = ['ARR', 'DEP'].map((code) => ({ '@id': IATA + code }));
        },
        /eventCode stands 2 times/,
      ],
      [
        'a latitude that reads as an integer',
        (event) => {
          geolocationOf(event)['cargo:latitude'] = 53;
        },
        /latitude: .*#integer, not/,
      ],
      [
        'a wrong count',
        (_, collection) => {
          collection['api:hasTotalItems'] = 7;
        },
        /hasTotalItems/,
      ],
      [
        'another address',
        (_, collection) => {
          collection['@id'] = address('OTHER');
        },
        /not the address/,
      ],
      [
        'an array of one',
        (event, collection) => {
          collection['api:hasItem'] = [event];
        },
        /array for less than two/,
      ],
      [
        'a null',
        (event) => {
          event['cargo:eventCode'] = null;
        },
        /null values/,
      ],
      [
        'a fetched context',
        (_, collection) => {
          collection['@context'] = 'https://onerecord.iata.org/context';
        },
        /not JSON-LD/,
      ],
    ];
    for (const [what, spoil, message] of broken) {
      it(`catches ${what}`, async () => {
        const collection = write(
          journeyWith([{ status_code: 'delivered', location: { name: 'Depot', latitude: 53, longitude: 10 } }]),
        );
        expect(await errorsOf(collection, address(NUMBER))).to.deep.equal([]);
        spoil(collection['api:hasItem'] as Node, collection);
        expect((await errorsOf(collection, address(NUMBER))).join('\n')).to.match(message);
      });
    }
  });

  it('omits hasItem without events, makes it an object for one and an array for many', () => {
    expect(write(journeyWith([])))
      .to.include({ 'api:hasTotalItems': 0 })
      .and.not.to.have.property('api:hasItem');
    expect(only(journeyWith([{ status_code: 'received' }]))).to.include({ '@type': 'cargo:LogisticsEvent' });
    expect(only(journeyWith([{ status_code: 'received' }, { status_code: 'delivered' }])))
      .to.be.an('array')
      .with.length(2);
  });

  it('uses the StatusCode list if it has the code, else Rec 24, and no invented code', () => {
    const expected = {
      picked_up: `${IATA}DPU`,
      received: `${IATA}FIW`,
      package_outbound: `${IATA}FOW`,
      delivered: `${IATA}DDL`,
      out_for_delivery: `${REC24}113`,
      delivery_failed: `${REC24}210`,
    };
    expect(
      Object.fromEntries(Object.keys(expected).map((code) => [code, (one(code)['cargo:eventCode'] as Node)['@id']])),
    ).to.deep.equal(expected);
    const experimental = one('x-customs_hold');
    expect(experimental).not.to.have.property('cargo:eventCode');
    expect(experimental).to.include({
      'cargo:eventName': 'Customs hold',
      'otep:status_id': 'otep:parcel:x-customs_hold',
    });
  });

  it('has the reason in the name, and the exact status in the namespace of the service', () => {
    const event = one('delivery_failed', { incident_reason: { code: 'recipient_absent', text: 'nobody at home' } });
    expect(event).to.include({
      'cargo:eventName': 'Delivery failed: recipient absent (nobody at home)',
      'otep:status_id': 'otep:parcel:delivery_failed',
      'otep:phase': 'exception',
      'otep:incident_reason.code': 'recipient_absent',
    });
  });

  it('marks future events as expected, and past ones as actual (D15)', () => {
    const { timeline, ...rest } = journeyWith([{ status_code: 'in_transit' }, { status_code: 'delivered' }]);
    const [past, ahead] = timeline.events;
    const of = {
      ...rest,
      timeline: { ...timeline, events: [past!, { ...ahead!, anomaly: 'in_the_future' as const }] },
    };
    const items = (onerecord.serialize(of, context) as { 'api:hasItem': Record<string, unknown>[] })['api:hasItem'];
    expect(items.map((event) => event['cargo:eventTimeType'])).to.deep.equal([
      { '@id': 'cargo:ACTUAL' },
      { '@id': 'cargo:EXPECTED' },
    ]);
  });

  it('converts every offset to UTC and keeps the original time next to it', () => {
    const event = one('received', { occurred_at: '2026-01-02T00:15:00.500+05:45' });
    expect(event['cargo:eventDate']).to.deep.equal({
      '@type': 'http://www.w3.org/2001/XMLSchema#dateTime',
      '@value': '2026-01-01T18:30:00.5Z',
    });
    expect(event['otep:occurred_at']).to.equal('2026-01-02T00:15:00.500+05:45');
  });

  it('names the piece by its IRI, else by its SSCC, else by the address of the timeline', () => {
    const pieceOf = (subject: object) =>
      (only(journeyWith([{ status_code: 'received' }], subject))['cargo:eventFor'] as Node)['@id'];
    expect(pieceOf({ gs1_sscc: '340123450000000000', piece_id: 'https://1r.example/logistics-objects/7' })).to.equal(
      'https://1r.example/logistics-objects/7',
    );
    expect(pieceOf({ gs1_sscc: '340123450000000000', piece_id: 'piece 7' })).to.equal(
      'https://id.gs1.org/00/340123450000000000',
    );
    expect(pieceOf({})).to.equal(`${address(NUMBER)}#piece`);
  });

  it('references UN/LOCODEs and countries by their IRIs', () => {
    const place = one('received', { location: { code: 'DEHAM', country: 'DE', city: 'Hamburg' } })[
      'cargo:eventLocation'
    ] as Node;
    expect(place['cargo:locationCodes']).to.deep.equal({ '@id': 'https://vocabulary.uncefact.org/unlocode#DEHAM' });
    expect((place['cargo:address'] as Node)['cargo:country']).to.deep.equal({
      '@id': 'https://vocabulary.uncefact.org/CountryId#DE',
    });
  });
});
