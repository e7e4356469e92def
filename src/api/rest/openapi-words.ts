/** What the OpenAPI document says in words: of tags, of parameters, and of who may call. */
import type { Operation } from '../core/operation.js';

/** What the operations of a tag are about. */
export const TAGS: Readonly<Record<string, string>> = {
  OTEP: 'Tracking timelines of the Open Tracking Event Protocol: push, read, check, convert.',
  EPCIS: "GS1 EPCIS 2.0 as repositories speak it: capture jobs, and a query over the caller's own shipments.",
  Providers: 'What a provider of scans sets for itself.',
  User: "Accounts of a business's people: sign in, manage, API keys.",
  Driver: 'Drivers.',
  Client: 'Orders come to be: one, many at once, many later.',
  Orders: 'Read, find, hold, change and cancel orders; their labels and days.',
  Tracking: 'Where a package is, for the public; who did what to an order, for the office.',
  Analytics: 'Orders in numbers.',
  AddressBook: 'Address books, and addresses that orders have gone to or come from.',
  DriverInfo: 'Who drivers are, what they can carry, and their documents.',
  InstantRider: 'Riders for orders that go at once: offers in rounds, and one who accepts.',
  Skills: 'What drivers can be asked for, and who can it.',
  'Driver Route Board': 'Routes that drivers take themselves: first come first served, with a queue behind.',
  Fleets: 'Drivers and vehicles under an owner, and their captains.',
  'Warehouse Mobile': 'Warehouses, their locations, their stock, and what scanners do there.',
  Files: 'Photos, documents and tables that people upload.',
  Jobs: 'Long work: how far it is, what came of it, its early end.',
  POI: 'Points of interest.',
  'Custom Maps': 'Layers over points of interest and datasets, for the business and by public links.',
  Alliance: 'Delivery partners: members, and what they grant each other.',
  'Warehouse Transfer': 'Parcels that move from one warehouse to another, and back.',
  Dataset: "Tables of the business's own, and where addresses are.",
  'Broker Order Assignments': 'Which contractor delivers which orders: assign, move, revoke, hand back.',
  Routes: 'Routes and the orders on them; what a contractor may plan, and the pool of what the caller may plan now.',
  'Third Party Delivery': 'Orders that another carrier delivers: handed over, and taken back.',
  Dispatch: 'What needs a dispatcher today, who has it, and what was decided.',
  Agents: 'For agents and those who integrate: guides, search, signatures.',
  Approvals: 'Writes that wait for a human: agents propose, reviewers decide.',
  Audit:
    "What happened, who did it, and what followed: the events of one's own business as they stand in the log; and evidence that the log was not changed: signed heads of its Merkle tree (RFC 9162, C2SP), and proofs.",
  Privacy: 'Forgetting people.',
  Platform: "Businesses and their modules: for the platform's own people.",
  Webhooks:
    'What happens to orders and parcels, told to the systems of the business as it happens: settings, deliveries, tests.',
};

/** What parameters mean that many operations have, where none of them says more. */
export const MEANINGS: Readonly<Record<string, string>> = {
  page: 'From 1.',
  per_page: 'Entries of a page.',
  order_ref: "The client's own reference.",
  carrier: 'Only the parcel of this carrier.',
  q: 'What is searched for.',
};

/** `order_id` becomes "Id of the order". */
export const inWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  const of = /^(.+) id$/.exec(words)?.[1];
  return of === undefined ? `${words[0]!.toUpperCase()}${words.slice(1)}.` : `Id of the ${of}.`;
};

/** Who may call, as people read it. */
export function whoMay({ callers, scopes = [], loginOnly, module }: Operation): string {
  const roles = callers.includes('anonymous') ? 'Anybody may call this.' : `Roles: ${callers.join(', ')}.`;
  return [
    roles,
    ...(scopes.length > 0 ? [`Scopes: ${scopes.join(', ')}.`] : []),
    ...(loginOnly ? ['Needs a sign-in; no API key.'] : []),
    ...(module === undefined ? [] : [`The module ${module} must be on.`]),
  ].join(' ');
}
