/** All areas of the service. A new area adds one line here. */
import { accounts } from './accounts.js';
import { addresses } from './addresses.js';
import { agents } from './agents.js';
import { alliances } from './alliances.js';
import { approvals } from './approvals.js';
import type { Area } from './area.js';
import { assignments } from './assignments.js';
import { audit } from './audit.js';
import { bills } from './bills.js';
import { board } from './board.js';
import { businesses } from './businesses.js';
import { captures } from './captures.js';
import { carrierAccounts } from './carrier-accounts.js';
import { catalogue } from './catalogue.js';
import { contractors } from './contractors.js';
import { customerTerms } from './customer-terms.js';
import { customers } from './customers.js';
import { datasets } from './datasets.js';
import { dispatch } from './dispatch.js';
import { documents } from './documents.js';
import { drivers } from './drivers.js';
import { effects } from './effects.js';
import { files } from './files.js';
import { fleets } from './fleets.js';
import { jobs } from './jobs.js';
import { keys } from './keys.js';
import { labelRates } from './label-rates.js';
import { messages } from './messages.js';
import { handling } from './handling.js';
import { invoices } from './invoices.js';
import { orders } from './orders.js';
import { planning } from './planning.js';
import { plans } from './plans.js';
import { maps } from './maps.js';
import { pois } from './pois.js';
import { pricing } from './pricing.js';
import { privacy } from './privacy.js';
import { providers } from './providers.js';
import { createRegistry, readModelsOf } from './registry.js';
import { returnReasons } from './return-reasons.js';
import { riders } from './riders.js';
import { routes } from './routes.js';
import { shifts } from './shifts.js';
import { skills } from './skills.js';
import { stock } from './stock.js';
import { ownSubjects } from './streams.js';
import { trackings } from './trackings.js';
import { thirdParty } from './third-party.js';
import { timers } from './timers.js';
import { transfers } from './transfers.js';
import { wallet } from './wallet.js';
import { warehouses } from './warehouses.js';
import { webhooks } from './webhooks.js';

/** All areas, in the order of the API documents. */
export const AREAS = [
  trackings,
  captures,
  providers,
  accounts,
  businesses,
  orders,
  thirdParty,
  returnReasons,
  addresses,
  customers,
  customerTerms,
  pricing,
  labelRates,
  catalogue,
  carrierAccounts,
  assignments,
  contractors,
  routes,
  drivers,
  skills,
  fleets,
  shifts,
  board,
  riders,
  warehouses,
  stock,
  planning,
  plans,
  jobs,
  files,
  documents,
  messages,
  dispatch,
  pois,
  datasets,
  maps,
  handling,
  alliances,
  transfers,
  wallet,
  bills,
  invoices,
  effects,
  approvals,
  agents,
  timers,
  webhooks,
  audit,
  privacy,
  keys,
] as readonly unknown[] as readonly Area<never>[];

/** The registry of these areas. A service with additional areas creates a separate one. */
export const REGISTRY = createRegistry(AREAS);

/** All stream definitions with their areas. The topics of the relay follow from them. */
export const STREAMS = REGISTRY.streams;

export const EVENT_TYPES = REGISTRY.types;

export const PROJECTIONS = REGISTRY.projections;

/** The tools that areas add to the MCP servers. */
export const AREA_TOOLS = REGISTRY.tools;

/** Prefixes of the streams whose names are subjects of erasure. */
export const OWN_SUBJECTS = ownSubjects(STREAMS);

/**
 * Names of all read models. These are also the names of the database schemas that can be rebuilt from the log, so
 * backups exclude them.
 */
export const READ_MODELS = readModelsOf(REGISTRY);
