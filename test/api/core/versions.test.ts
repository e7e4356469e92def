/**
 * Versions of resources (docs/api-style.md, rule 24), over the registry: each read of a resource has its version, and
 * each change is refused where it is meant for another one. What versions of orders do in detail is in
 * test/api/orders/versions.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { GraphQLSchema } from 'graphql';
import { createSchema } from '../../../src/api/graphql/schema.js';
import type { CallerKind } from '../../../src/api/core/callers.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { newTopUp } from '../../support/access/areas/top-ups.js';
import { ACCESS, type Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { overGraphQL, overRest, type OperationResponse } from '../../support/clients/rest-and-graphql.js';

const all = describeOperations();
const versioned = all.filter((one) => one.versioned && one.canonical === undefined);
const reads = versioned.filter(({ writes }) => !writes);
const changes = versioned.filter(({ writes }) => writes);

/** Writes that return a resource with a version, and change something else: docs/versions.md has the reasons. */
const WITHOUT_VERSION = [
  'allianceAnswer',
  'boardClaim',
  'boardConfirm',
  'boardStandby',
  'boardWithdraw',
  'driverScan',
  'orderPay',
  'riderAccept',
  'routeAddOrders',
  'routeRemoveOrders',
];

type MakeChange = (input: Input, world: World, turn: number) => Input | Promise<Input>;

/** One value in the first call, the other in the second: each call changes something. */
const inTurn =
  (member: string, values: readonly [unknown, unknown]): MakeChange =>
  (input, _world, turn) => ({ ...input, [member]: values[turn] });
/** Brings the resource into a state that the change ends. */
const after =
  (call: (input: Input, world: World) => Promise<unknown>): MakeChange =>
  async (input, world) => {
    await call(input, world);
    return input;
  };

/** Instead of inputs of the access table that change nothing. */
const CHANGED: Readonly<Record<string, MakeChange>> = {
  userEnable: after(({ user_id }, { good }) => good(`/users/${String(user_id)}/disable`, 'client_admin', { body: {} })),
  businessModuleSet: inTurn('enabled', [false, true]),
  approvalSettingsUpdate: inTurn('review', ['another_person', 'anybody']),
  orderSettingsUpdate: inTurn('unique_order_ref', [true, false]),
  webhookSettingsUpdate: inTurn('webhooks_enabled', [false, true]),
  walletTermsUpdate: inTurn('credit_limit', ['11.00', '12.00']),
  driverSkillsSet: async (input, { good }, turn) => {
    await good('/skills/forklift', 'client_admin', { method: 'PUT', body: {} });
    return { ...input, skills: turn === 0 ? [{ code: 'forklift' }] : [] };
  },
  fleetCaptainsSet: (input, { demo }) => ({ ...input, user_ids: [demo.users.employee.id] }),
  shiftUpdate: async ({ shift_id }, { good }) => {
    const { json } = await good(`/shifts/${String(shift_id)}`, 'client_admin');
    return { shift_id, end_at: new Date(Date.parse(json.shift.end_at) - 60_000).toISOString() };
  },
  // A confirmed top-up does not change again.
  topUpConfirm: async (input, world) => ({ ...input, ...(await newTopUp(world)) }),
  mapUnpublish: after(({ map_id }, { good }) => good(`/maps/${String(map_id)}/publish`, 'client_admin', { body: {} })),
};

/** A route has a version before it is posted. */
const READS: Readonly<Record<string, string>> = { boardPost: 'route' };

/** The version of the resource in a response: its own, or beside a list that is one. */
function versionIn(body: unknown): number | undefined {
  const whole = body as Readonly<Record<string, unknown>>;
  const found = [whole, ...Object.values(whole)].map((one) => (one as { readonly version?: unknown } | null)?.version);
  return found.find((one) => typeof one === 'number');
}

describe('versions of resources', () => {
  let world: World;
  let schema: GraphQLSchema;
  before(async () => {
    schema = createSchema(all, []);
    world = await openWorld();
  });
  after(() => world?.stop());

  const rowOf = ({ name }: Operation) => ACCESS[name]!;
  /** A role that may read what it changes. */
  const roleOf = (change: Operation, read: Operation): CallerKind =>
    rowOf(change).roles.find((role) => rowOf(read).roles.includes(role))!;
  const rest = async (operation: Operation, input: Input, role: CallerKind, headers?: Record<string, string>) =>
    overRest(world.test.url, operation, input, await world.keyOf(role), headers);
  /** Over GraphQL. An upload is not in GraphQL, so it is sent over REST again. */
  const over = async (operation: Operation, { if_version, ...input }: Input, role: CallerKind) => {
    if (operation.streams) return rest(operation, input, role, { 'if-match': `"${String(if_version)}"` });
    const withVersion = { ...input, ...(if_version !== undefined && { if_version }) };
    return overGraphQL(world.test.url, schema, operation, withVersion, await world.keyOf(role));
  };
  const inputOf = async (change: Operation, role: CallerKind, turn: number): Promise<Input> => {
    const input = await rowOf(change).own(world, role);
    return CHANGED[change.name]?.(input, world, turn) ?? input;
  };

  it('are taken by each change of a resource that has one', () => {
    const names = new Set(reads.map(({ name }) => name));
    const unversioned = all.filter(
      ({ writes, returns, versioned: own, rest: { status } }) =>
        writes && !own && status !== 201 && returns !== undefined && names.has(returns.read),
    );
    expect(unversioned.map(({ name }) => name)).to.have.members(WITHOUT_VERSION);
  });

  for (const read of reads)
    it(`are the ETag of ${read.name}`, async () => {
      const [role] = rowOf(read).roles as [CallerKind];
      const input = await rowOf(read).own(world, role);
      const found = await rest(read, input, role);
      expect(found.status, found.text).to.equal(200);
      const version = versionIn(found.body);
      expect(version, found.text).to.be.a('number');
      // Weak where the response is compressed.
      expect(found.etag?.replace(/^W\//, '')).to.equal(`"${version}"`);
      expect(versionIn((await over(read, input, role)).body)).to.equal(version);
    });

  /** The read of what a change changes: of the same stream. */
  const readOf = ({ name, versioned: changed, returns }: Operation): Operation =>
    reads.find((one) => one.name === (READS[name] ?? returns?.read)) ??
    reads.find(({ versioned: own }) => own === changed)!;
  const versionOf = async (read: Operation, input: Input, role: CallerKind): Promise<number> => {
    const readInput = Object.fromEntries(Object.entries(input).filter(([name]) => name in read.input.shape));
    const found = await rest(read, readInput, role);
    // An order has no search for a rider before the first one is requested.
    if (found.status === 404) return -1;
    expect(found.status, `${read.name}: ${found.text}`).to.equal(200);
    return versionIn(found.body)!;
  };
  /** The version once two reads agree: what the row prepared may still reach the read model. */
  const settledVersionOf = async (read: Operation, input: Input, role: CallerKind): Promise<number> => {
    for (let before = await versionOf(read, input, role); ;) {
      await sleep(300);
      const now = await versionOf(read, input, role);
      if (now === before) return now;
      before = now;
    }
  };
  const expectRefused = ({ status, code, text }: OperationResponse, { versioned: own }: Operation) =>
    expect([status, code], text).to.deep.equal([412, own!.code]);

  for (const change of changes)
    it(`are compared by ${change.name}`, async () => {
      const read = readOf(change);
      const role = roleOf(change, read);
      let input = await inputOf(change, role, 0);
      const version = await settledVersionOf(read, input, role);
      const late = version + 100;
      expectRefused(await rest(change, input, role, { 'if-match': `"${late}"` }), change);
      expectRefused(await over(change, { ...input, if_version: late }, role), change);
      expect(await versionOf(read, input, role), 'after refusals').to.equal(version);
      const done = await rest(change, input, role, { 'if-match': `"${version}"` });
      expect(done.status, done.text).to.be.below(300);
      const now = await versionOf(read, input, role);
      if (now !== -1) {
        expect(now).to.be.greaterThan(version);
        for (const other of reads.filter(({ versioned: own }) => own === change.versioned))
          expect(await versionOf(other, input, role), other.name).to.be.oneOf([now, -1]);
      }
      input = await inputOf(change, role, 1);
      const if_version = await settledVersionOf(read, input, role);
      const again = await over(change, { ...input, if_version }, role);
      expect(again.status, again.text).to.be.below(300);
    });
});
