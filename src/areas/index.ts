/** All areas of the house. A new one is one line here. */
import { eventTypes } from '../events/core/codec.js';
import { auditIndex } from '../projections/audit/read-model.js';
import type { Projection } from '../projections/core/projection.js';
import { accounts } from './accounts.js';
import { addresses } from './addresses.js';
import { agents } from './agents.js';
import { approvals } from './approvals.js';
import { ownSubjects, streamsOf, type Area } from './area.js';
import { assignments } from './assignments.js';
import { audit } from './audit.js';
import { businesses } from './businesses.js';
import { captures } from './captures.js';
import { checkAreas } from './check.js';
import { contractors } from './contractors.js';
import { drivers } from './drivers.js';
import { orders } from './orders.js';
import { privacy } from './privacy.js';
import { providers } from './providers.js';
import { routes } from './routes.js';
import { trackings } from './trackings.js';
import { webhooks } from './webhooks.js';

/** In the order of the documents. */
export const AREAS = [
  trackings,
  captures,
  providers,
  accounts,
  businesses,
  orders,
  addresses,
  assignments,
  contractors,
  routes,
  drivers,
  approvals,
  agents,
  webhooks,
  audit,
  privacy,
] as readonly unknown[] as readonly Area<never>[];

checkAreas(AREAS);

/** Streams by the first word of their names, with their area. The relay's topics go by these. */
export const STREAMS = streamsOf(AREAS);

export const EVENT_TYPES = eventTypes(...STREAMS.map(({ events }) => events as never));

export const PROJECTIONS: readonly Projection[] = [
  ...AREAS.flatMap(({ readModels }) => readModels),
  auditIndex(STREAMS) as unknown as Projection,
];

/** First words of streams whose names are subjects of erasure. */
export const OWN_SUBJECTS = ownSubjects(STREAMS);

/** Names of all read models, which are also the schemas that the log brings back: they belong in no backup. */
export const READ_MODELS: readonly string[] = [
  ...PROJECTIONS.map(({ name }) => name),
  ...AREAS.flatMap(({ followed = [] }) => followed),
];
