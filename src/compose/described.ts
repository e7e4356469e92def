/**
 * Describes operations and feeds for generated documents, without a running service. The returned operations cannot be
 * executed.
 */
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { House, Served } from '../areas/house.js';
import { EVENT_TYPES, PROJECTIONS, STREAMS } from '../areas/index.js';
import { FORMATS } from '../serializers/index.js';
import { feedsOf, operationsOf, VERSION } from './house.js';

/** Placeholder for every dependency of an operation. It is never used, because described operations never run. */
const NOTHING: unknown = new Proxy(() => NOTHING, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => 0 : typeof name === 'symbol' ? undefined : NOTHING),
});

function describedHouse(): House {
  const known: Partial<House> = {
    formats: FORMATS,
    version: VERSION,
    baseUrl: () => '',
    now: () => 0,
    types: EVENT_TYPES,
    streams: STREAMS,
    readModels: PROJECTIONS,
    forgetters: () => [],
    jobKinds: () => [],
    operations: () => [],
    of: <Services>(area: Served<Services>) => (area.services ? area.services(house) : (undefined as Services)),
  };
  const house = new Proxy(known as House, { get: (given, name) => Reflect.get(given, name) ?? NOTHING });
  return house;
}

export const describeOperations = (): readonly Operation[] => operationsOf(describedHouse());
export const describeFeeds = (): readonly Feed[] => feedsOf(describedHouse());
