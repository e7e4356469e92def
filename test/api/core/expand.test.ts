/**
 * `expand` over REST and the fields of relations over GraphQL: each object is what its own read returns to the same
 * caller, and null where that is refused.
 */
import { expect } from 'chai';
import type { z } from 'zod';
import type { CallerKind } from '../../../src/api/core/callers.js';
import type { Operation, Relation, Target } from '../../../src/api/core/operation.js';
import { objectsIn } from '../../../src/api/core/fields.js';
import { expansionOf } from '../../../src/api/core/expand.js';
import { resourceOf } from '../../../src/api/core/resource-fields.js';
import { isRelation } from '../../../src/api/graphql/relations.js';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { openApi } from '../../../src/api/rest/openapi.js';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';
import { getNamedType, isObjectType, type GraphQLOutputType } from 'graphql';
import { EXAMPLE_ROW, addRow } from '../../support/access/example-row.js';
import { ACCESS, type Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { toCamelCase, documentOf, overGraphQL, overRest } from '../../support/clients/rest-and-graphql.js';
import { graphql } from '../../support/clients/graphql.js';
import type { Answer } from '../../support/clients/http.js';

type Members = Readonly<Record<string, Answer['json']>>;

/** Relations whose id is null, or whose read finds nothing, for every caller in this world. */
const NOTHING: readonly string[] = [
  'BoardRoute.driver',
  'BrokerOrderAssignment.route',
  'DispatchDecision.item',
  'DispatchDecision.order',
  'DispatchItem.job',
  'DispatchItem.plan',
  'InstantDelivery.driver',
  'InstantDelivery.route',
  'Order.replaced_by_order',
  'Order.replaces_order',
  'Order.warehouse',
  'Route.fleet',
  'Route.route_plan',
  'RouteDetails.fleet',
  'RouteDetails.route_plan',
  'ScanConflict.order',
  'ScanConflict.route',
  'ScanConflict.warehouse',
];

const entriesOf = (value: unknown): Members[] => [value].flat().filter((one) => one !== null) as Members[];
const idsOf = ({ by }: Relation, entry: Members): unknown[] => [entry[by] ?? []].flat();

describe('expand', () => {
  const operations = describeOperations();
  const schema = createSchema(operations, describeFeeds());
  const reads = operations.filter(({ relations, canonical }) => relations && canonical === undefined);
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world?.stop());

  const rest = async (operation: Operation, input: Input, role: CallerKind) =>
    overRest(world.test.url, operation, input, await world.keyOf(role));
  const resourceIn = ({ name }: Operation, body: unknown, nameOf = (member: string) => member): unknown =>
    (body as Members)[nameOf(resourceOf(operations.find((one) => one.name === name)!)!.name)];

  /** The component that has the relation, and the relation. */
  const keyOf = (operation: Operation, { name }: Relation): string => {
    const [object] = objectsIn(resourceOf(operation)!.schema);
    return `${(object as z.ZodType).meta()!['id'] as string}.${name}`;
  };
  const found = new Set<string>();
  const refused = new Set<string>();

  for (const operation of reads)
    it(`${operation.name}: ${operation.relations!.map(({ name }) => name).join(', ')}`, async () => {
      const { own, roles } = ACCESS[operation.name]!;
      const relations = operation.relations!;
      known.clear();
      for (const role of roles) {
        const input = { ...(await own(world, role)), ...('per_page' in operation.input.shape && { per_page: 10 }) };
        if (operation.name in EXAMPLE_ROW && role === 'client_admin') await addRow(world, operation.name, input);
        const plain = await rest(operation, input, role);
        if (plain.status !== 200) continue;
        await waitForJobs(operation, plain.body, role);
        const expand = relations.map(({ name }) => name).join(',');
        const whole = await rest(operation, { ...input, expand }, role);
        expect(whole.status, whole.text).to.equal(200);
        const nestedResponse = await overGraphQL(
          world.test.url,
          schema,
          operation,
          input,
          await world.keyOf(role),
          relations,
        );
        expect(nestedResponse.status, nestedResponse.text).to.equal(200);
        const nested = entriesOf(resourceIn(operation, nestedResponse.body, toCamelCase));
        const entries = entriesOf(resourceIn(operation, whole.body));
        expect(nested).to.have.length(entries.length);
        for (const [index, entry] of entries.entries())
          for (const relation of relations) {
            const { name, many, target } = relation;
            const { objects, fields } = await detailsOf(relation, idsOf(relation, entry), role);
            const place = `${operation.name}.${name} for ${role}`;
            expect(entry[name], place).to.deep.equal(many ? objects : (objects[0] ?? null));
            expect(nested[index]![toCamelCase(name)], place).to.deep.equal(many ? fields : (fields[0] ?? null));
            if (objects.some((object) => object !== null)) found.add(keyOf(operation, relation));
            if (objects.includes(null)) refused.add(target.read.name);
          }
      }
    });

  /** Details that the test has read. */
  const known = new Map<string, ReturnType<typeof detailOf>>();

  /** What the caller gets of each id by the read itself. */
  async function detailsOf({ target }: Relation, ids: readonly unknown[], role: CallerKind) {
    const details = await Promise.all(
      ids.map((one) => {
        const place = `${target.read.name} ${String(one)} ${role}`;
        const detail = known.get(place) ?? detailOf(target, one, role);
        known.set(place, detail);
        return detail;
      }),
    );
    return { objects: details.map(({ object }) => object), fields: details.map(({ fields }) => fields) };
  }

  async function detailOf({ read, id, member }: Target, one: unknown, role: CallerKind) {
    const { status, body } = await rest(read, { [id]: one }, role);
    expect(status).to.be.oneOf([200, 403, 404]);
    const nestedResponse = await overGraphQL(world.test.url, schema, read, { [id]: one }, await world.keyOf(role));
    return {
      object: status === 200 ? (body as Members)[member] : null,
      fields: (nestedResponse.body as Members | null)?.[toCamelCase(member)] ?? null,
    };
  }

  /** What goes on changes between two reads. */
  async function waitForJobs(operation: Operation, response: unknown, role: CallerKind): Promise<void> {
    const job = operations.find(({ name }) => name === 'job')!;
    for (const { job_id } of entriesOf(resourceIn(operation, response)))
      if (typeof job_id === 'string') await rest(job, { job_id, wait_s: 25 }, role);
  }

  it('was tested on objects, and on objects that a caller may not see', () => {
    const all = reads.flatMap((read) => read.relations!.map((relation) => keyOf(read, relation)));
    expect(all.filter((one) => !found.has(one) && !NOTHING.includes(one))).to.deep.equal([]);
    expect([...refused]).to.include.members(['driver', 'route', 'order', 'user']);
  });

  it('is declared by members that the resources have, of the type of the id', () => {
    for (const operation of reads)
      for (const relation of operation.relations!) {
        const [object] = objectsIn(resourceOf(operation)!.schema) as [z.ZodObject];
        const reference = object.shape[relation.by] as z.ZodType | undefined;
        const place = keyOf(operation, relation);
        expect(reference, place).not.to.equal(undefined);
        const id = relation.target.read.input.shape[relation.target.id] as z.ZodType;
        const isInteger = id.safeParse(1).success;
        const value = isInteger ? 1 : 'a';
        expect(reference!.safeParse(relation.many ? [value] : value).success, place).to.equal(true);
        expect(Object.keys(object.shape), place).not.to.include(relation.name);
      }
  });

  it('refuses unknown names, and lists the known names', async () => {
    const key = await world.keyOf('client_admin');
    const { status, json } = await world.test.api('/routes?expand=driver,nosuch', { key });
    expect([status, json.errors[0].code, json.errors[0].path]).to.deep.equal([400, 'INVALID_VALUE', '/expand']);
    expect(json.errors[0].message).to.contain('driver, fleet, route_plan');
    const without = await world.test.api('/drivers?expand=fleet', { key });
    expect(without.json.errors[0].code).to.equal('UNKNOWN_PARAMETER');
  });

  it('goes with fields, which may select members of the objects', async () => {
    const key = await world.keyOf('client_admin');
    const membersOf = async (query: string) =>
      Object.keys((await world.test.api(`/routes?${query}`, { key })).json.routes[0]);
    expect(await membersOf('fields=id,status&expand=driver')).to.have.members(['id', 'status', 'driver']);
    expect(await membersOf('fields=id,driver')).to.deep.equal(['id']);
    const { routes } = (await world.test.api('/routes?fields=id,driver.name&expand=driver,fleet', { key })).json;
    expect(routes.length).to.be.above(0);
    for (const { id, driver, fleet, ...more } of routes) {
      expect(more).to.deep.equal({});
      expect(fleet === null || 'id' in fleet).to.equal(true);
      if (driver !== null) expect(Object.keys(driver)).to.deep.equal(['name']);
      expect(id).to.be.a('number');
    }
  });

  it('waits for the read models of the objects, too, where the caller brings a position', () => {
    const routes = operations.find(({ name }) => name === 'routes')!;
    expect(routes.reads).not.to.include('workers');
    expect(expansionOf(routes, 'driver').operation.reads).to.include.members([...routes.reads!, 'workers']);
  });

  it('is documented: the names, and the member of the component', () => {
    const document = openApi({ operations, feeds: describeFeeds(), baseUrl: '' }) as Members;
    const parameters = document['paths']['/v1/routes'].get.parameters as Members[];
    expect(parameters.find(({ name }) => name === 'expand')!['schema'].items.enum).to.deep.equal([
      'driver',
      'fleet',
      'route_plan',
    ]);
    const { Route, RouteDetails, Driver } = document['components'].schemas;
    for (const component of [Route, RouteDetails]) {
      expect(component.properties.driver.anyOf[0]).to.deep.equal({ $ref: '#/components/schemas/Driver' });
      expect(component.required).not.to.include('driver');
    }
    expect(Driver.properties).not.to.have.property('driver');
  });

  it('has a limit of cost in GraphQL, and loads each object once', async () => {
    const key = await world.keyOf('client_admin');
    const deep =
      '{ orders(perPage: 200) { orders { route { orders { id } driver { name } fleet { drivers { name } } } } } }';
    const { errors } = await graphql(world.test.url, deep, { key });
    expect(errors![0]!.extensions.code).to.equal('QUERY_TOO_COMPLEX');
    const nested = '{ routes(perPage: 20) { routes { driverId driver { id name } again: driver { id } } } }';
    const { data } = await graphql(world.test.url, nested, { key });
    const { routes } = data!['routes'];
    expect(routes.length).to.be.above(0);
    for (const { driverId, driver, again } of routes) {
      expect(driver?.id ?? null).to.equal(driverId);
      expect(again?.id ?? null).to.equal(driverId);
    }
  });

  it('is not part of subscriptions, where a right that ended would still count', () => {
    const seen = new Set<string>();
    const walk = (type: GraphQLOutputType): void => {
      const named = getNamedType(type);
      if (!isObjectType(named) || seen.has(named.name)) return;
      seen.add(named.name);
      for (const field of Object.values(named.getFields())) {
        expect(isRelation(field), `${named.name}.${field.name}`).to.equal(false);
        walk(field.type);
      }
    };
    for (const { type } of Object.values(schema.getSubscriptionType()!.getFields())) walk(type);
  });

  it('writes documents that GraphQL takes', () => {
    const routes = reads.find(({ name }) => name === 'routes')!;
    expect(documentOf(schema, routes, {}, routes.relations).query).to.contain('driver {');
  });
});
