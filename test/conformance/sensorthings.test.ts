import { expect } from 'chai';
import fc from 'fast-check';
import type { Journey, Location } from '../../src/events/otep/model.js';
import { sensorthings } from '../../src/serializers/sensorthings.js';
import { journeyWith } from '../support/inputs/journeys.js';
import { journey } from '../support/inputs/timelines.js';
import { sensorThingsErrors } from '../support/validators/sensorthings.js';
import { runs } from '../support/depth.js';

const context = { baseUrl: 'https://tracking.example' };
const self = 'https://tracking.example/api/v1/otep/trackings/JD014600001?format=sensorthings';

interface Entity {
  [member: string]: unknown;
}
interface Feature extends Entity {
  feature: { geometry: Entity | null };
  properties?: Entity;
}
interface Observation extends Entity {
  '@iot.id': string;
  result: string;
  parameters: Entity;
  FeatureOfInterest: Feature;
}
interface Datastream extends Entity {
  Sensor: Entity;
  ObservedProperty: Entity;
  Observations: Observation[];
}
interface Thing extends Entity {
  properties: Entity;
  Locations: Entity[];
  HistoricalLocations: (Entity & { Locations: Entity[] })[];
  Datastreams: Datastream[];
}

const write = (journey: Journey) => JSON.parse(JSON.stringify(sensorthings.serialize(journey, context))) as Thing;
const observationsOf = (journey: Journey) => write(journey).Datastreams.flatMap(({ Observations }) => Observations);

describe('SensorThings', () => {
  describe('the validator', () => {
    const broken: readonly (readonly [
      string,
      (observation: Observation, datastream: Datastream, thing: Thing) => void,
    ])[] = [
      [
        'an observation without resultTime',
        (observation) => {
          delete observation.resultTime;
        },
      ],
      [
        'a local time',
        (observation) => {
          observation.phenomenonTime = '2026-01-02T08:00:00';
        },
      ],
      [
        'a plain word under a category',
        (observation) => {
          observation.result = 'delivered';
        },
      ],
      [
        'parameters as a list',
        (observation) => {
          observation.parameters = [] as unknown as Entity;
        },
      ],
      [
        'properties of an observation',
        (observation) => {
          observation.properties = {};
        },
      ],
      [
        'an observation of nothing',
        (observation) => {
          delete (observation as Entity).FeatureOfInterest;
        },
      ],
      [
        'a feature without a name',
        (observation) => {
          delete observation.FeatureOfInterest.name;
        },
      ],
      [
        'latitude before longitude',
        (observation) => {
          observation.FeatureOfInterest.feature.geometry = { type: 'Point', coordinates: [53, 110] };
        },
      ],
      [
        'an encoding of 1.0',
        (observation) => {
          observation.FeatureOfInterest.encodingType = 'application/vnd.geo+json';
        },
      ],
      [
        'a datastream without unit',
        (_, datastream) => {
          delete datastream.unitOfMeasurement;
        },
      ],
      [
        'two sensors',
        (_, datastream) => {
          (datastream as Entity).Sensor = [datastream.Sensor, datastream.Sensor];
        },
      ],
      [
        'a child with navigation links',
        (_, datastream) => {
          datastream['Thing@iot.navigationLink'] = self;
        },
      ],
      [
        'a thing without navigation links',
        (_, __, thing) => {
          delete thing['Datastreams@iot.navigationLink'];
        },
      ],
      [
        'a relative self link',
        (_, datastream) => {
          datastream['@iot.selfLink'] = "Datastreams('1')";
        },
      ],
      [
        'an expanded entity without id',
        (_, datastream) => {
          delete datastream.Sensor['@iot.id'];
        },
      ],
      [
        'one id for two observations',
        (observation, datastream) => {
          datastream.Observations[1]!['@iot.id'] = observation['@iot.id'];
        },
      ],
    ];
    for (const [what, spoil] of broken) {
      it(`catches ${what}`, () => {
        const thing = write(
          journeyWith([
            { status_code: 'received', location: { city: 'Hamburg', latitude: 53, longitude: 110 } },
            { status_code: 'delivered' },
          ]),
        );
        expect(sensorThingsErrors(thing)).to.deep.equal([]);
        const datastream = thing.Datastreams[0]!;
        spoil(datastream.Observations[0]!, datastream, thing);
        expect(sensorThingsErrors(thing)).not.to.deep.equal([]);
      });
    }
  });

  it('writes longitude before latitude, and no geometry without coordinates', () => {
    fc.assert(
      fc.property(journey(), (any) => {
        const places = new Map(
          any.timeline.events.map((event) => [any.uuidOf(event), event.location as Location | undefined]),
        );
        for (const { '@iot.id': id, FeatureOfInterest } of observationsOf(any)) {
          const { longitude, latitude } = places.get(id) ?? {};
          const point = { type: 'Point', coordinates: [longitude, latitude] };
          expect(FeatureOfInterest.feature.geometry).to.deep.equal(
            longitude === undefined ? null : JSON.parse(JSON.stringify(point)),
          );
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('gives each source one datastream with one sensor, with events in order', () => {
    const [carrier, driver] = [
      { type: 'carrier', name: 'Acme' },
      { type: 'driver', name: 'Acme' },
    ] as const;
    const thing = write(
      journeyWith([
        { status_code: 'received', source: carrier },
        { status_code: 'out_for_delivery', source: driver },
        { status_code: 'delivery_failed', source: carrier },
        { status_code: 'delivered' },
      ]),
    );
    const codes = (observations: Observation[]) => observations.map(({ parameters }) => parameters.status_code);
    expect(
      thing.Datastreams.map(({ Sensor, Observations, phenomenonTime }) => [
        Sensor['@iot.id'],
        codes(Observations),
        phenomenonTime,
      ]),
    ).to.deep.equal([
      ['carrier//Acme', ['received', 'delivery_failed'], '2026-01-02T08:00:00Z/2026-01-02T10:00:00Z'],
      ['driver//Acme', ['out_for_delivery'], '2026-01-02T09:00:00Z/2026-01-02T09:00:00Z'],
      ['//', ['delivered'], '2026-01-02T11:00:00Z/2026-01-02T11:00:00Z'],
    ]);
  });

  it('uses Rec 24 codes, and the URN of an experimental one', () => {
    const results = observationsOf(journeyWith([{ status_code: 'delivered' }, { status_code: 'x-paused' }])).map(
      ({ result }) => result,
    );
    expect(results).to.deep.equal([
      'https://vocabulary.uncefact.org/LogisticsStatusCodeList#21',
      'urn:otep:status:parcel:x-paused',
    ]);
  });

  it('has a resultTime also for events without a recording time', () => {
    const [{ resultTime }] = observationsOf(journeyWith([{ status_code: 'delivered', recorded_at: undefined }])) as [
      Observation,
    ];
    expect(resultTime).to.equal(null);
  });

  it('links every entity and list to an existing one (D10)', () => {
    const number = "JD 1/ü'";
    const thing = write(
      journeyWith([{ status_code: 'received', location: { city: 'Hamburg' } }], { tracking_number: number }),
    );
    const address = `https://tracking.example/api/v1/otep/trackings/${encodeURIComponent(number)}?format=sensorthings`;
    expect(thing['@iot.selfLink']).to.equal(address);
    const links = JSON.stringify(thing).match(/(?<="@iot\.selfLink":")[^"]+/g)!;
    for (const link of links.slice(1)) {
      expect(link.startsWith(`${address}&entity=`)).to.equal(true);
      const entity = sensorthings.part!(thing, new URL(link).searchParams.get('entity')!);
      expect(entity, link).to.include({ '@iot.selfLink': link });
    }
    for (const list of ['Locations', 'HistoricalLocations', 'Datastreams'] as const) {
      const link = (thing as unknown as Record<string, string>)[`${list}@iot.navigationLink`]!;
      const entityPath = new URL(link).searchParams.get('entity')!;
      expect(sensorthings.part!(thing, entityPath), link).to.deep.equal({ value: thing[list] });
    }
    for (const none of ["Datastreams('nobody')", 'name', '__proto__', 'constructor'])
      expect(sensorthings.part!(thing, none), none).to.equal(undefined);
  });

  it('is at its last place, and its history has the places of its events', () => {
    const scans = [
      { status_code: 'received', location: { city: 'Hamburg' } },
      { status_code: 'arrival_scan', location: { city: 'Berlin' } },
    ];
    const future = { status_code: 'in_transit', location: { city: 'Munich' }, occurred_at: '2099-01-01T00:00:00Z' };
    const thing = write(journeyWith([...scans, { status_code: 'in_transit' }, future]));
    expect(thing.Locations.map(({ name }) => name)).to.deep.equal(['Berlin']);
    const history = thing.HistoricalLocations.map(({ time, Locations }) => [time, Locations[0]!.name]);
    expect(history).to.deep.equal([
      ['2026-01-02T08:00:00Z', 'Hamburg'],
      ['2026-01-02T09:00:00Z', 'Berlin'],
    ]);
  });

  it('loses nothing: the timeline can be restored from parameters, places and properties', () => {
    fc.assert(
      fc.property(journey(), (any) => {
        const plain = JSON.parse(JSON.stringify(any)) as Journey;
        const written = new Map(
          observationsOf(any).map(({ parameters, FeatureOfInterest: { properties: place = {} } }) => [
            parameters.event_id,
            { parameters, place },
          ]),
        );
        for (const { otep_version: _version, location: place = {}, ...parameters } of plain.timeline.events) {
          expect(written.get(parameters.event_id)).to.deep.equal({ parameters, place });
        }
        const { retracted = [], subject } = write(any).properties;
        expect({ retracted, subject }).to.deep.equal({ retracted: plain.retracted, subject: plain.timeline.subject });
      }),
      { numRuns: runs(100) },
    );
  });
});
