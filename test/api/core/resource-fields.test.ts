/**
 * `fields` of every read of resources over REST: only the selected members, and a list of valid names for an unknown
 * one.
 */
import { expect } from 'chai';
import { resourceOf } from '../../../src/api/core/resource-fields.js';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';
import { openApi } from '../../../src/api/rest/openapi.js';
import { EXAMPLE_ROW, addRow } from '../../support/access/example-row.js';
import { ACCESS, type Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { overRest } from '../../support/clients/rest-and-graphql.js';
import type { Operation } from '../../../src/api/core/operation.js';

/** Reads without rows in this world. */
const EMPTY: readonly string[] = [
  'accessibleClients',
  'allianceUses',
  'dispatchDecisions',
  'driverDocuments',
  'driverTrail',
  'fleetVehicles',
  'oauthGrants',
  'ordersExceptions',
  'providerUnmappedStatuses',
  'skills',
];

type Members = Readonly<Record<string, unknown>>;

describe('fields of resources over REST', () => {
  const all = describeOperations().filter(({ canonical }) => canonical === undefined);
  const reads = all.flatMap((operation) => {
    const resource = resourceOf(operation);
    return resource ? [{ operation, resource: resource.name }] : [];
  });
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.stop());

  const roleOf = ({ name }: Operation) => {
    const { roles } = ACCESS[name]!;
    return roles.includes('client_admin') ? 'client_admin' : roles[0]!;
  };
  const read = async (operation: Operation, input: Input) =>
    overRest(world.test.url, operation, input, await world.keyOf(roleOf(operation)));
  const entriesOf = (value: unknown): Members[] => [value].flat().filter((one) => one !== null) as Members[];

  it('are accepted by lists with a cursor and by details, except public operations', () => {
    const names = reads.map(({ operation }) => operation.name);
    for (const { name } of all.filter((one) => 'cursor' in one.input.shape && 'per_page' in one.input.shape))
      // An explanation has two lists, neither of which is the resource.
      if (!['wmsInventory', 'otepCarrierCodes', 'routePlanExplain'].includes(name)) expect(names).to.include(name);
    expect(names).to.include.members(['order', 'route', 'user', 'job', 'poi', 'dataset', 'warehouse', 'fleet']);
    expect(names).not.to.include.members(['trackingPublic', 'otepTracking', 'webhookSettings']);
  });

  const silent: string[] = [];
  for (const { operation, resource } of reads)
    it(`${operation.name}: selects members of ${resource}`, async () => {
      const input = await ACCESS[operation.name]!.own(world, roleOf(operation));
      if (operation.name in EXAMPLE_ROW) await addRow(world, operation.name, input);
      const whole = await read(operation, input);
      expect(whole.status, whole.text).to.equal(ACCESS[operation.name]!.status ?? 200);
      if (whole.status !== 200) return;
      const { [resource]: value, ...envelope } = whole.body as Members;
      const unknown = await read(operation, { ...input, fields: 'nosuchmember' });
      expect(unknown.status, unknown.text).to.equal(400);
      const [error] = (unknown.body as { errors: { code: string; path: string; message: string }[] }).errors;
      expect([error!.code, error!.path]).to.deep.equal(['UNKNOWN_FIELD', '/fields']);
      const [entry] = entriesOf(value);
      const [name] = Object.keys(entry ?? {});
      if (name === undefined) return void silent.push(operation.name);
      expect(error!.message).to.contain(name);
      const selected = await read(operation, { ...input, fields: name });
      expect(selected.status, selected.text).to.equal(200);
      const { [resource]: shown, ...otherMembers } = selected.body as Members;
      expect(Object.keys(otherMembers)).to.have.members(Object.keys(envelope));
      for (const one of entriesOf(shown)) expect(Object.keys(one)).to.deep.equal([name]);
    });

  it('are tested on rows, except for the lists that are named here', () =>
    expect(silent.filter((name) => !EMPTY.includes(name))).to.deep.equal([]));

  it('are documented once, and referenced by each operation that takes them', () => {
    const document = openApi({ operations: all, feeds: describeFeeds(), baseUrl: '' }) as {
      paths: Record<string, Record<string, { operationId: string; parameters: { $ref?: string }[] }>>;
      components: { parameters: { Fields: { name: string } } };
    };
    expect(document.components.parameters.Fields.name).to.equal('fields');
    const withFields = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters.some(({ $ref }) => $ref === '#/components/parameters/Fields'));
    expect(withFields.map(({ operationId }) => operationId)).to.have.members(
      reads.map(({ operation }) => operation.name),
    );
  });

  it('select members of members, and several names', async () => {
    const order_id = await world.orders.order('client_admin');
    const key = await world.keyOf('client_admin');
    const path = `/orders/${order_id}?fields=status,delivery.city`;
    const { json } = await world.test.api(path, { key });
    expect(json).to.deep.equal({ result: true, order: { status: 'NEW_ORDER', delivery: json.order.delivery } });
    expect(Object.keys(json.order.delivery)).to.deep.equal(['city']);
    const whole = (await world.test.api(`/orders/${order_id}`, { key })).json;
    expect((await world.test.api(`/orders/${order_id}?fields=*`, { key })).json).to.deep.equal(whole);
    expect((await world.test.api('/../ai/endpoints?fields=total', { key })).json.errors[0].code).to.equal(
      'UNKNOWN_PARAMETER',
    );
  });
});
