/** Creates rows in the lists of the API with the calls of the access table. */
import { expect } from 'chai';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { overRest } from '../clients/rest-and-graphql.js';
import { ACCESS, type Input } from './table.js';
import type { World } from './world.js';

/** How to add a row to a list: an operation that is called as in the access table, optionally with additional input. */
type Adding = string | readonly [operation: string, more: (input: Input, world: World) => Input];

export const EXAMPLE_ROW: Readonly<Record<string, Adding>> = {
  addressBook: 'addressCreate',
  allianceGrants: 'allianceGrantCreate',
  alliances: 'allianceCreate',
  bills: 'orderChargesSet',
  boardRoutes: 'boardPost',
  brokerOrderAssignments: 'assignOrdersToBroker',
  businesses: 'businessCreate',
  carrierAccounts: 'carrierAccountCreate',
  catalogCategories: 'catalogCategorySet',
  catalogItems: 'catalogItemSet',
  customers: ['userCreate', () => ({ role: 'customer' })],
  datasets: 'datasetCreate',
  drivers: ['userCreate', () => ({ role: 'driver' })],
  fleets: 'fleetCreate',
  fleetShifts: 'shiftsBatch',
  invoices: 'invoiceIssue',
  jobs: 'ordersImport',
  maps: 'mapCreate',
  pois: 'poiCreate',
  proposals: 'proposalCreate',
  rateCards: 'rateCardCreate',
  recordHistory: ['recordSet', (_input, { fresh }) => ({ values: { name: fresh() } })],
  routePlans: 'routePlanCreate',
  routes: 'routeCreate',
  // A settled conflict stays in the list.
  scanConflicts: 'scanConflictSettle',
  shippingMethods: 'carrierAccountCreate',
  thirdPartyOrders: 'orderThirdPartyOffer',
  topUps: 'topUpCreate',
  transfers: 'transferCreate',
  users: 'userCreate',
  walletEntries: 'walletCredit',
  warehouses: 'warehouseCreate',
  webhookDeliveries: 'webhookTest',
  wmsConflicts: [
    'wmsOps',
    ({ ops }, { fresh }) => ({ ops: (ops as object[]).map((op) => ({ ...op, code: fresh() })) }),
  ],
  wmsInventory: 'stockReceive',
};

const byName = new Map(describeOperations().map((one) => [one.name, one]));

/** Adds a row to a list of ADDING. `filter`: members of the input that have the same values as in the read. */
export async function addRow(world: World, list: string, filter: Input = {}): Promise<void> {
  const adding = EXAMPLE_ROW[list]!;
  const [name, more] = typeof adding === 'string' ? [adding] : adding;
  const operation = byName.get(name)!;
  const { roles, own } = ACCESS[name]!;
  const role = roles.includes('client_admin') ? 'client_admin' : roles[0]!;
  const input = await own(world, role);
  const same = Object.fromEntries(Object.entries(filter).filter(([member]) => member in operation.input.shape));
  const all = { ...input, ...same, ...more?.(input, world) };
  const { status, text } = await overRest(world.test.url, operation, all, await world.keyOf(role));
  expect(status, `${name}: ${text}`).to.be.below(300);
}
