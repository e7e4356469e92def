/**
 * Checks a SensorThings 1.1 entity with expanded relations against the tables of the standard (18-088, section 8). OGC
 * publishes no JSON Schema; its test suite asserts these tables.
 */
type Json = Record<string, unknown>;

interface Table {
  /** Required members; the check gets the value. */
  readonly mandatory: Readonly<Record<string, (value: unknown) => boolean>>;
  readonly optional: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Relations by name: the entity set of the other side, and how many there may be. */
  readonly relations: Readonly<
    Record<string, { readonly set: string; readonly many: boolean; readonly needed?: boolean }>
  >;
}

const filled = (value: unknown) => typeof value === 'string' && value !== '';
const object = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const uri = (value: unknown) => typeof value === 'string' && /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(value);
const absolute = (value: unknown) =>
  typeof value === 'string' && /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value);
const isInstant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
const isInterval = (value: unknown) =>
  typeof value === 'string' && value.split('/').length === 2 && value.split('/').every(isInstant);
const isTime = (value: unknown) => isInstant(value) || isInterval(value);
const oneOf =
  (...values: readonly string[]) =>
  (value: unknown) =>
    values.includes(value as string);
const named = { name: filled, description: filled };
const geoJson = { encodingType: oneOf('application/geo+json') };

const OBSERVATION_TYPES: Readonly<Record<string, (result: unknown) => boolean>> = {
  OM_CategoryObservation: uri,
  OM_CountObservation: Number.isInteger,
  OM_Measurement: (value) => typeof value === 'number',
  OM_TruthObservation: (value) => typeof value === 'boolean',
  OM_Observation: () => true,
};
const observationType = (value: unknown): string | undefined =>
  /^http:\/\/www\.opengis\.net\/def\/observationType\/OGC-OM\/2\.0\/(OM_\w+)$/.exec(String(value))?.[1];

const one = (set: string, needed = false) => ({ set, many: false, needed });
const many = (set: string, needed = false) => ({ set, many: true, needed });

const TABLES: Readonly<Record<string, Table>> = {
  Things: {
    mandatory: named,
    optional: { properties: object },
    relations: {
      Datastreams: many('Datastreams'),
      HistoricalLocations: many('HistoricalLocations'),
      Locations: many('Locations'),
    },
  },
  Locations: {
    mandatory: { ...named, ...geoJson, location: isFeature },
    optional: { properties: object },
    relations: { HistoricalLocations: many('HistoricalLocations'), Things: many('Things') },
  },
  HistoricalLocations: {
    mandatory: { time: isInstant },
    optional: {},
    relations: { Thing: one('Things'), Locations: many('Locations', true) },
  },
  Sensors: {
    mandatory: {
      ...named,
      encodingType: oneOf('application/pdf', 'http://www.opengis.net/doc/IS/SensorML/2.0', 'text/html'),
      metadata: (value) => value !== undefined,
    },
    optional: { properties: object },
    relations: { Datastreams: many('Datastreams') },
  },
  ObservedProperties: {
    mandatory: { ...named, definition: uri },
    optional: { properties: object },
    relations: { Datastreams: many('Datastreams') },
  },
  Datastreams: {
    mandatory: {
      ...named,
      observationType: (value) => observationType(value) !== undefined && observationType(value)! in OBSERVATION_TYPES,
      unitOfMeasurement: (value) =>
        object(value) &&
        Object.keys(value as Json)
          .sort()
          .join() === 'definition,name,symbol',
    },
    optional: { observedArea: object, phenomenonTime: isInterval, resultTime: isInterval, properties: object },
    relations: {
      Thing: one('Things'),
      Sensor: one('Sensors', true),
      ObservedProperty: one('ObservedProperties', true),
      Observations: many('Observations', true),
    },
  },
  Observations: {
    mandatory: {
      phenomenonTime: isTime,
      result: (value) => value !== undefined,
      resultTime: (value) => value === null || isInstant(value),
    },
    optional: { resultQuality: () => true, validTime: isInterval, parameters: object },
    relations: { Datastream: one('Datastreams'), FeatureOfInterest: one('FeaturesOfInterest', true) },
  },
  FeaturesOfInterest: {
    mandatory: { ...named, ...geoJson, feature: isFeature },
    optional: { properties: object },
    relations: { Observations: many('Observations') },
  },
};

/** RFC 7946: a Feature with a Point (longitude first) or without geometry. */
function isFeature(value: unknown): boolean {
  const { type, geometry, properties } = value as {
    type?: unknown;
    geometry?: { type?: unknown; coordinates?: unknown } | null;
    properties?: unknown;
  };
  if (type !== 'Feature' || geometry === undefined || properties === undefined) return false;
  if (geometry === null) return true;
  const [longitude, latitude, ...rest] = geometry.coordinates as number[];
  return geometry.type === 'Point' && rest.length === 0 && Math.abs(longitude!) <= 180 && Math.abs(latitude!) <= 90;
}

/** Returns all errors of an expanded Thing, one line each. */
export function sensorThingsErrors(thing: unknown): string[] {
  const errors: string[] = [];
  const seen = new Map<string, string>();
  visit(thing as Json, 'Things', '', true, errors, seen);
  return errors;
}

function visit(
  entity: Json,
  set: string,
  path: string,
  top: boolean,
  errors: string[],
  seen: Map<string, string>,
): void {
  const table = TABLES[set]!;
  const check = (right: boolean, message: string) => {
    if (!right) errors.push(`${path || '/'} (${set}): ${message}`);
  };
  const id = entity['@iot.id'];
  check(id !== undefined && id !== null && id !== '', 'no @iot.id');
  check(absolute(entity['@iot.selfLink']), '@iot.selfLink is not absolute');
  const [key, text] = [`${set} ${JSON.stringify(id)}`, JSON.stringify(entity)];
  check((seen.get(key) ?? text) === text, 'two entities of one set have one id');
  seen.set(key, text);

  for (const [name, holds] of Object.entries(table.mandatory)) {
    check(
      name in entity && holds(entity[name]),
      `${name} is mandatory, and ${JSON.stringify(entity[name])} is not right`,
    );
  }
  for (const [name, holds] of Object.entries(table.optional))
    check(!(name in entity) || holds(entity[name]), `${name} is not right`);
  for (const [name, { set: other, many, needed }] of Object.entries(table.relations)) {
    const value = entity[name];
    check(
      top === `${name}@iot.navigationLink` in entity,
      top ? `no navigation link to ${name}` : `an expanded entity has a navigation link to ${name}`,
    );
    check(
      value === undefined ? !needed : Array.isArray(value) === many,
      `${name} is not ${many ? 'a list' : 'one entity'}`,
    );
    if (needed && many) check(Array.isArray(value) && value.length > 0, `${name} is empty`);
    for (const [index, child] of (value === undefined ? [] : [value].flat()).entries())
      visit(child as Json, other, `${path}/${name}/${index}`, false, errors, seen);
  }
  const known = new Set([
    ...Object.keys(table.mandatory),
    ...Object.keys(table.optional),
    ...Object.keys(table.relations),
    '@iot.id',
    '@iot.selfLink',
  ]);
  for (const name of Object.keys(entity))
    check(known.has(name.replace(/@iot\.(navigationLink|count|nextLink)$/, '')), `${name} is no member of it`);
  if (set !== 'Datastreams') return;
  const fits = OBSERVATION_TYPES[observationType(entity.observationType) ?? ''] ?? (() => false);
  for (const { result } of [entity.Observations ?? []].flat() as Json[])
    check(fits(result), `${JSON.stringify(result)} is no result of its observationType`);
}
