/** Groups of operations in the API documents (docs/api-style.md); the areas of the specification are finer. */
import type { Operation } from './operation.js';

/** The groups in their order, with descriptions. */
export const TAGS: Readonly<Record<string, string>> = {
  'Users and sign-in': 'Accounts, sign-in, API keys, connected applications, and push tokens of devices.',
  Businesses: 'Businesses and their modules, for administrators of the platform.',
  Orders: 'Create, search, update, hold and cancel orders; labels, figures, and orders that other carriers deliver.',
  Tracking: 'Timelines of parcels: read, validate and convert them.',
  'Tracking ingest': 'Scans and EPCIS documents from providers, and the status tables of providers.',
  Routes: 'Routes, the orders on them, and their progress.',
  'Route planning': 'Plans of routes, the pool of orders that can be planned, and the settings of planning.',
  'Route board': 'Posted routes that drivers claim, with a queue of standbys.',
  Prices: 'Rate cards with their versions, and quotes before an order exists.',
  Catalogue: 'Packaging, supplies and services that a business sells or uses by piece.',
  Customers: 'Customer accounts with their tags and terms: rate cards, payment, services and hidden prices.',
  Labels: 'Accounts at carriers, shipping methods, rates, and labels of carriers.',
  Contractors: 'Assignments of orders to contractors, and the rules by which contractors may plan orders.',
  Drivers: 'Drivers, their profiles, documents, capacities, skills and tracks.',
  'Fleets and shifts': 'Drivers and vehicles under an owner, their captains, and their shifts.',
  'Instant delivery': 'Orders for immediate delivery, and the riders who get offers for them.',
  Dispatch: 'Exceptions of the day, and the decisions on them.',
  'Warehouses and stock': 'Warehouses, their locations, and their stock.',
  'Warehouse operations': 'Scanners, sorting, conflicts of scans, and transfers between warehouses.',
  'Addresses and places': 'Address books, points of interest and geocoding.',
  Datasets: 'Tables that a business defines: records, search, import and export.',
  Maps: 'Maps of a business, also published by link.',
  Alliances: 'Partners, and the data that they grant to each other.',
  Billing: 'Wallets of customers, the ledger, and the billing profile of the business.',
  Effects: 'Calls to external systems whose result is unknown, and signed messages from them.',
  Webhooks: 'Settings and deliveries of webhooks, and help for receivers.',
  'Approvals and agents': 'Writes that wait for approval, and guides for agents and developers.',
  'Jobs and files': 'Long-running jobs with progress and results, and uploaded files.',
  'Audit and privacy': 'Events, state at a moment, signed proofs, and the erasure of persons.',
};

/** Groups of areas whose group has another name. */
const BY_AREA: Readonly<Record<string, string>> = {
  User: 'Users and sign-in',
  Platform: 'Businesses',
  Client: 'Orders',
  'Third Party Delivery': 'Orders',
  Analytics: 'Orders',
  Pricing: 'Prices',
  Customer: 'Customers',
  ReturnReasons: 'Orders',
  LabelService: 'Labels',
  Shipping: 'Labels',
  OTEP: 'Tracking',
  EPCIS: 'Tracking ingest',
  Providers: 'Tracking ingest',
  'Driver Route Board': 'Route board',
  'Broker Order Assignments': 'Contractors',
  Driver: 'Drivers',
  DriverInfo: 'Drivers',
  Skills: 'Drivers',
  Fleets: 'Fleets and shifts',
  InstantRider: 'Instant delivery',
  'Warehouse Mobile': 'Warehouses and stock',
  'Warehouse Transfer': 'Warehouse operations',
  AddressBook: 'Addresses and places',
  POI: 'Addresses and places',
  Dataset: 'Datasets',
  'Custom Maps': 'Maps',
  Alliance: 'Alliances',
  Approvals: 'Approvals and agents',
  Agents: 'Approvals and agents',
  Jobs: 'Jobs and files',
  Files: 'Jobs and files',
  Audit: 'Audit and privacy',
  Privacy: 'Audit and privacy',
};

/** Operations whose group differs from the group of their area. */
const BY_NAME: readonly (readonly [names: RegExp, tag: string])[] = [
  [/^otepIngest/, 'Tracking ingest'],
  [/^orderDriverPosition$/, 'Tracking'],
  [/^(routePlan|clientBuildRoute|planning)/, 'Route planning'],
  [/^brokerRules/, 'Contractors'],
  [/^driverTrail$/, 'Drivers'],
  [/^geocode/, 'Addresses and places'],
  [/^wms(Ops|Conflict|Tasks|Route|Lookup)/, 'Warehouse operations'],
  [/^(webhookSignatureVerify|developerOutbox)$/, 'Webhooks'],
];

type Grouped = Pick<Operation, 'name' | 'area'>;

/** The group of an operation; an area that is not in the tables is a group itself. */
export const tagOf = ({ name, area }: Grouped): string =>
  BY_NAME.find(([names]) => names.test(name))?.[1] ?? BY_AREA[area] ?? area;

/** The groups of these operations: first those of the table in its order, then the others. */
export function tagsOf(operations: readonly Grouped[]): string[] {
  const used = new Set(operations.map(tagOf));
  return [...Object.keys(TAGS).filter((tag) => used.has(tag)), ...[...used].filter((tag) => !(tag in TAGS))];
}
