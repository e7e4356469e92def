/**
 * OGC SensorThings API 1.1 (18-088): the parcel as an expanded Thing. Each source is a Sensor with a separate
 * Datastream, and each event is an Observation at a FeatureOfInterest.
 *
 * The service has no SensorThings root for entity addresses. Every link is the address of this document with the
 * parameter `entity`, which names the wanted part like a SensorThings path. The response contains only that part.
 */
import type { Journey } from '../events/otep/model.js';
import type { Format, SerializeContext } from './format.js';
import { datastreams } from './sensorthings/datastreams.js';
import { Places } from './sensorthings/places.js';
import { addressOf, entityOf, selfLink, type Entity } from './sensorthings/entity.js';
import { shownCarrier } from './support/vendor-subject.js';
import { parcelNumber, trackingAddress } from './support/parcel.js';
import { wordsOf } from './support/label.js';
import { placeOf } from './support/place.js';
import { utcOf } from './support/utc.js';

export const sensorthings: Format = {
  name: 'sensorthings',
  mediaType: 'application/json',
  standard: 'OGC SensorThings API Part 1: Sensing (18-088), a Thing with its Datastreams and Observations expanded',
  version: '1.1',
  revision: 3,
  direction: 'out',
  lost: [],
  serialize: thing,
  part: (document, entityId) => entityOf(document as Entity, entityId),
};

function thing(journey: Journey, context: SerializeContext): unknown {
  const { timeline, retracted, planned, carrierMatch } = journey;
  const carrier = shownCarrier(journey);
  const { otep_version: _version, events: _events, ...summary } = timeline;
  const number = parcelNumber(timeline.subject);
  const self = `${trackingAddress(journey, context)}?format=sensorthings`;
  const places = new Places(self);
  const times = timeline.events.map((event) => utcOf(event.occurred_at));
  const history = historicalLocations(journey, times, self, places);
  return {
    '@iot.id': number,
    '@iot.selfLink': self,
    name: `Parcel ${number}`,
    description:
      timeline.current_status === null
        ? 'Parcel, nothing known of its status yet'
        : `Parcel, ${wordsOf(timeline.current_status)}`,
    properties: {
      ...summary,
      ...(planned && { planned_delivery: planned }),
      ...(carrier !== undefined && { carrier }),
      ...(carrierMatch && carrierMatch.alternatives.length > 0 && { alternatives: carrierMatch.alternatives }),
      ...(retracted.length > 0 && { retracted }),
    },
    'Locations@iot.navigationLink': addressOf(self, 'Locations'),
    'HistoricalLocations@iot.navigationLink': addressOf(self, 'HistoricalLocations'),
    'Datastreams@iot.navigationLink': addressOf(self, 'Datastreams'),
    Locations: history.at(-1)?.Locations ?? [],
    HistoricalLocations: history,
    Datastreams: datastreams(journey, times, { ...context, self, number, places }),
  };
}

/** Returns the past places of the parcel; events in the future are skipped. `times` are the events' instants in UTC. */
function historicalLocations({ timeline, uuidOf }: Journey, times: readonly string[], self: string, places: Places) {
  const history: (Entity & { readonly Locations: readonly Entity[] })[] = [];
  for (const [index, event] of timeline.events.entries()) {
    const place = placeOf(event.location);
    if (!place || event.anomaly === 'in_the_future') continue;
    const id = uuidOf(event);
    history.push({
      '@iot.id': id,
      '@iot.selfLink': selfLink(self, 'HistoricalLocations', id),
      time: times[index],
      Locations: [places.location(place)],
    });
  }
  return history;
}
