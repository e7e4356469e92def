/**
 * Describes operations and feeds for generated documents, without a running service. The returned operations cannot be
 * executed.
 */
import type { Feed } from '../api/core/feed.js';
import type { Operation } from '../api/core/operation.js';
import type { AreaContext, ServingArea } from '../areas/area-context.js';
import { REGISTRY } from '../areas/index.js';
import { FORMATS } from '../serializers/index.js';
import { feedsOf, operationsOf, VERSION } from './areas.js';

/** Placeholder for every dependency of an operation. It is never used, because described operations never run. */
const PLACEHOLDER: unknown = new Proxy(() => PLACEHOLDER, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => 0 : typeof name === 'symbol' ? undefined : PLACEHOLDER),
});

function createDescribedContext(): AreaContext {
  const knownMembers: Partial<AreaContext> = {
    formats: FORMATS,
    version: VERSION,
    baseUrl: () => '',
    now: () => 0,
    types: REGISTRY.types,
    streams: REGISTRY.streams,
    readModels: REGISTRY.projections,
    forgetters: () => [],
    jobKinds: () => [],
    effectKinds: () => [],
    inboundAdapters: () => [],
    operations: () => [],
    of: <Services>(area: ServingArea<Services>) => (area.services ? area.services(context) : (undefined as Services)),
  };
  const context = new Proxy(knownMembers as AreaContext, {
    get: (target, name) => Reflect.get(target, name) ?? PLACEHOLDER,
  });
  return context;
}

export const describeOperations = (): readonly Operation[] => operationsOf(createDescribedContext(), REGISTRY);
export const describeFeeds = (): readonly Feed[] => feedsOf(createDescribedContext(), REGISTRY.areas);
