/** The operations as definitions, for documents made of them without a service: none of them can be run. */
import type { Operation } from '../api/core/operation.js';
import type { Area } from '../areas/area.js';
import type { House } from '../areas/house.js';
import { EVENT_TYPES, PROJECTIONS, STREAMS } from '../areas/index.js';
import { FORMATS } from '../serializers/index.js';
import { operationsOf, VERSION } from './house.js';

/** Stands for whatever an operation needs once it runs. */
const NOTHING: unknown = new Proxy(() => NOTHING, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => 0 : typeof name === 'symbol' ? undefined : NOTHING),
});

export function describeOperations(): readonly Operation[] {
  const known: Partial<House> = {
    formats: FORMATS,
    version: VERSION,
    baseUrl: () => '',
    now: () => 0,
    types: EVENT_TYPES,
    streams: STREAMS,
    readModels: PROJECTIONS,
    forgetters: () => [],
    operations: () => [],
    of: <Services>(area: Area<Services>) => (area.services ? area.services(house) : (undefined as Services)),
  };
  const house = new Proxy(known as House, { get: (given, name) => Reflect.get(given, name) ?? NOTHING });
  return operationsOf(house);
}
