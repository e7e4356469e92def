import { expect } from 'chai';
import fc from 'fast-check';
import type { Journey } from '../../src/events/otep/model.js';
import { uncefact } from '../../src/serializers/uncefact.js';
import { journeyWith } from '../support/inputs/journeys.js';
import { journey } from '../support/inputs/timelines.js';
import { needsOfficial } from '../support/validators/official.js';
import { linkedDataValidator, statusReportValidator, UNCEFACT_FILES } from '../support/validators/uncefact.js';
import { runs } from '../support/depth.js';

const context = { baseUrl: 'https://tracking.example' };
const linkedData = uncefact.variants![0]!;

interface Node {
  [member: string]: unknown;
}
interface Consignment {
  transportEvent: Node[];
  reportedLogisticsStatus: Node[];
  'x-otep': Node;
}
const report = (journey: Journey) =>
  JSON.parse(JSON.stringify(uncefact.serialize(journey, context))) as Node & { specifiedConsignment: [Consignment] };
const parcel = (journey: Journey) => report(journey).specifiedConsignment[0];
const linked = (journey: Journey) =>
  JSON.parse(JSON.stringify(linkedData.serialize(journey, context))) as { '@context': Node; transportEvent: Node[] };

const full = () =>
  journeyWith([
    {
      status_code: 'received',
      source: { type: 'carrier', name: 'Acme', provider: 'acme' },
      location: { name: 'Depot', code: 'DEHAM', city: 'Hamburg', country: 'DE', latitude: 53.5, longitude: 1e-7 },
    },
    {
      status_code: 'delivery_failed',
      incident_reason: { code: 'recipient_absent', text: 'nobody at home' },
      location: { code: '4012345000009' },
    },
    { status_code: 'x-paused', occurred_at: '2026-01-02T23:00:00.5-03:30' },
  ]);

describe('UN/CEFACT', () => {
  describe('status report, against the official schema', () => {
    let errorsOf: ReturnType<typeof statusReportValidator>;
    before(function () {
      needsOfficial(this, ...UNCEFACT_FILES);
      errorsOf = statusReportValidator();
    });

    const locate = (event: Node, latitude: Node) => {
      (event.occurrenceLogisticsLocation as Node).physicalGeographicalCoordinate = { latitude };
    };
    const broken: readonly (readonly [string, (event: Node, status: Node, document: Node) => void])[] = [
      [
        'a number as a code',
        (event) => {
          event.typeCode = { content: 21, listAgencyId: '6' };
        },
      ],
      [
        'a code without content',
        (event) => {
          event.typeCode = '21';
        },
      ],
      [
        'a code that is not in Rec 24',
        (event) => {
          event.typeCode = { content: '42', listAgencyId: '6' };
        },
      ],
      [
        'a condition outside of the list',
        (_, status) => {
          status.conditionCode = { content: '371', listAgencyId: '6' };
        },
      ],
      [
        'a time without offset',
        (event) => {
          event.actualOccurrenceDateTime = '2026-01-02T08:00:00';
        },
      ],
      [
        'an extension member without x-',
        (event) => {
          event.status_code = 'received';
        },
      ],
      [
        'a coordinate as a number',
        (event) => {
          locate(event, { content: 53.5, unitCode: 'DD' });
        },
      ],
      [
        'a coordinate as an exponent',
        (event) => {
          locate(event, { content: '1e-7', unitCode: 'DD' });
        },
      ],
      [
        'a coordinate without unit',
        (event) => {
          locate(event, { content: '53.5' });
        },
      ],
      [
        'a report without a time',
        (_, __, document) => {
          delete (document.exchangedDocument as Node).issueDateTime;
        },
      ],
      [
        'a JSON-LD context',
        (_, __, document) => {
          document['@context'] = {};
        },
      ],
    ];
    for (const [what, spoil] of broken) {
      it(`catches ${what}`, () => {
        const document = report(full());
        expect(errorsOf(document)).to.deep.equal([]);
        const { transportEvent, reportedLogisticsStatus } = document.specifiedConsignment[0];
        spoil(transportEvent[0]!, reportedLogisticsStatus[0]!, document);
        expect(errorsOf(document)).not.to.deep.equal([]);
      });
    }
  });

  describe('linked data, against the official context', () => {
    let errorsOf: ReturnType<typeof linkedDataValidator>;
    before(function () {
      needsOfficial(this, ...UNCEFACT_FILES);
      errorsOf = linkedDataValidator();
    });

    const broken: readonly (readonly [string, (event: Node, document: { '@context': Node }) => void, RegExp])[] = [
      [
        'a bare code',
        (event) => {
          event.reportedConditionTypeCode = '21';
        },
        /not JSON-LD|not the IRI/,
      ],
      [
        'a code that is not in Rec 24',
        (event) => {
          event.reportedConditionTypeCode = 'unece:LogisticsStatusCodeList#42';
        },
        /not a code/,
      ],
      [
        'an undefined member',
        (event) => {
          event.status = 'received';
        },
        /not JSON-LD/,
      ],
      [
        'an unknown term of the vocabulary',
        (event) => {
          event['unece:frameOfMind'] = 'x';
        },
        /unknown term/,
      ],
      [
        'a context with another definition of a term',
        (_, document) => {
          document['@context'].description = { '@id': 'unece:name' };
        },
        /not defined as in/,
      ],
    ];
    for (const [what, spoil, message] of broken) {
      it(`catches ${what}`, async () => {
        const document = linked(full());
        expect(await errorsOf(document)).to.deep.equal([]);
        spoil(document.transportEvent[0]!, document);
        expect((await errorsOf(document)).join('\n')).to.match(message);
      });
    }
  });

  it('gives each event its Rec 24 code, its instant in UTC and its place', () => {
    const { transportEvent } = parcel(full());
    expect(transportEvent[0]).to.deep.include({
      typeCode: { content: '74', listAgencyId: '6' },
      actualOccurrenceDateTime: '2026-01-02T08:00:00Z',
      occurrenceLogisticsLocation: {
        id: [{ content: 'DEHAM', schemeAgencyId: '6' }],
        name: [{ content: 'Depot' }],
        physicalGeographicalCoordinate: {
          latitude: { content: '53.5', unitCode: 'DD' },
          longitude: { content: '0.000000100000', unitCode: 'DD' },
        },
        'x-otep': { city: 'Hamburg', country: 'DE' },
      },
    });
    expect(transportEvent[1]!.occurrenceLogisticsLocation).to.deep.equal({
      id: [{ content: '4012345000009', schemeAgencyId: '9' }],
    });
    expect(transportEvent[2])
      .to.include({ actualOccurrenceDateTime: '2026-01-03T02:30:00.5Z' })
      .and.not.to.have.property('typeCode');
  });

  it('names a place without name, code and coordinates by its address (D14)', () => {
    const where = (location: object) =>
      parcel(journeyWith([{ status_code: 'in_transit', location }])).transportEvent[0]!.occurrenceLogisticsLocation;
    expect(where({ postal_code: '20095', city: 'Hamburg', region: 'HH', country: 'DE' })).to.deep.equal({
      name: [{ content: '20095 Hamburg, HH, DE' }],
      'x-otep': { postal_code: '20095', city: 'Hamburg', region: 'HH', country: 'DE' },
    });
    expect(where({ code: 'HUB 7', city: 'Hamburg' })).not.to.have.property('name');
  });

  it('reports the condition with the reason, and only values of Rec 24', () => {
    const { reportedLogisticsStatus } = parcel(full());
    expect(reportedLogisticsStatus).to.have.length(2);
    expect(reportedLogisticsStatus[1]).to.deep.include({
      conditionCode: { content: '210', listAgencyId: '6' },
      referenceDateTime: '2026-01-02T09:00:00Z',
      reasonCode: [{ content: '269', listAgencyId: '6' }],
      reason: [{ content: 'nobody at home' }],
    });
  });

  it('loses nothing: the events can be restored from extensions and standard members', () => {
    fc.assert(
      fc.property(journey(), (any) => {
        const { transportEvent, 'x-otep': rest } = parcel(any);
        const events = JSON.parse(JSON.stringify(any.timeline.events)) as {
          otep_version?: string;
          location?: unknown;
        }[];
        expect(transportEvent.map((event) => event['x-otep'])).to.deep.equal(
          events.map(({ otep_version: _version, location: _location, ...native }) => native),
        );
        expect(rest.retracted ?? []).to.deep.equal(JSON.parse(JSON.stringify(any.retracted)));
        expect(rest).to.deep.include({ subject: any.timeline.subject, current_status: any.timeline.current_status });
      }),
      { numRuns: runs(100) },
    );
  });

  it('refers to the document by its address if no event has a time', () => {
    expect(report(journeyWith([]))).to.include({
      exchangedDocument: 'https://tracking.example/api/v1/otep/trackings/JD014600001',
    });
    expect(report(full()).exchangedDocument).to.deep.include({
      id: { content: 'JD014600001/3' },
      issueDateTime: '2026-01-03T12:00:00.000Z',
    });
  });

  it('has the exact status in both forms', () => {
    const ids = ['otep:parcel:received', 'otep:parcel:delivery_failed', 'otep:parcel:x-paused'];
    expect(parcel(full()).transportEvent.map((event) => (event['x-otep'] as Node).status_id)).to.deep.equal(ids);
    expect(linked(full()).transportEvent.map((event) => event['otep:status_id'])).to.deep.equal(ids);
  });
});
