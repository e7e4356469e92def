/**
 * A Datastream for each source of a timeline, because a Datastream has exactly one Sensor. The events of the source are
 * its Observations.
 */
import type { Journey, Source, TimelineEvent } from '../../events/otep/model.js';
import type { SerializeContext } from '../format.js';
import { wordsOf } from '../support/label.js';
import { placeOf } from '../support/place.js';
import { rec24Iri, REC24_LIST } from '../support/rec24.js';
import { utcOf } from '../support/utc.js';
import { selfLink, type Entity } from './entity.js';
import type { Places } from './places.js';

interface Document extends SerializeContext {
  /** Address of the document. */
  readonly self: string;
  readonly number: string;
  readonly places: Places;
}

/** Observation type of a category: its result is a URI. */
const CATEGORY = 'http://www.opengis.net/def/observationType/OGC-OM/2.0/OM_CategoryObservation';
/** Experimental statuses as URIs: `urn:otep:status:<profile>:<code>`. */
const STATUS_URN = 'urn:otep:status:';
/** A category has no unit, but the member is required. */
const NO_UNIT = { name: null, symbol: null, definition: null };

/** `times` are the instants of the timeline's events, in UTC. */
export function datastreams({ timeline, uuidOf }: Journey, times: readonly string[], document: Document): Entity[] {
  const sources = new Map<
    string,
    { readonly source: Source; readonly observations: Entity[]; first: string; last: string }
  >();
  for (const [index, event] of timeline.events.entries()) {
    const time = times[index]!;
    const id = identityOf(event.source);
    const entry = sources.get(id) ?? { source: event.source ?? {}, observations: [], first: time, last: time };
    sources.set(id, entry);
    entry.last = time;
    entry.observations.push(observation(event, uuidOf(event), time, document));
  }
  const observed = observedProperty(document.self);
  return [...sources].map(([sensorId, { source, observations, first, last }]) => {
    const id = `${document.number}/${sensorId}`;
    return {
      '@iot.id': id,
      '@iot.selfLink': selfLink(document.self, 'Datastreams', id),
      name: 'Transport status',
      description: `Transport status of parcel ${document.number} as reported by ${sourceName(source)}`,
      observationType: CATEGORY,
      unitOfMeasurement: NO_UNIT,
      phenomenonTime: `${first}/${last}`,
      ObservedProperty: observed,
      Sensor: sensor(sensorId, source, document),
      Observations: observations,
    };
  });
}

function observation(event: TimelineEvent, uuid: string, phenomenonTime: string, { self, places }: Document): Entity {
  const { otep_version: _version, location, ...parameters } = event;
  return {
    '@iot.id': uuid,
    '@iot.selfLink': selfLink(self, 'Observations', uuid),
    phenomenonTime,
    resultTime: event.recorded_at === undefined ? null : utcOf(event.recorded_at),
    // An experimental code has no number in Rec 24, so it gets a URI in the OTEP namespace.
    result: rec24Iri(event.status_code) ?? event.status_id.replace(/^otep:/, STATUS_URN),
    parameters,
    FeatureOfInterest: places.featureOfInterest(placeOf(location)),
  };
}

const observedProperty = (self: string): Entity => ({
  '@iot.id': 'LogisticsStatus',
  '@iot.selfLink': selfLink(self, 'ObservedProperties', 'LogisticsStatus'),
  name: 'Logistics status',
  definition: REC24_LIST,
  description: 'Status of a consignment in UN/ECE Recommendation 24',
});

/** The service's documentation describes the kinds of sources. The properties contain the data of this source. */
const sensor = (id: string, { type, name, provider }: Source, { self, baseUrl }: Document): Entity => ({
  '@iot.id': id,
  '@iot.selfLink': selfLink(self, 'Sensors', id),
  name: sourceName({ type, name, provider }),
  description: `Source of kind ${type === undefined ? 'unknown' : wordsOf(type)}`,
  encodingType: 'text/html',
  metadata: `${baseUrl}/api/docs`,
  properties: { type, name, provider },
});

const sourceName = ({ type, name, provider }: Source): string =>
  name ?? provider ?? (type === undefined ? 'an unknown source' : wordsOf(type));

/** Two sources with the same kind, provider and name are the same source. */
const identityOf = ({ type, provider, name }: Source = {}): string =>
  [type, provider, name].map((part) => encodeURIComponent(part ?? '')).join('/');
