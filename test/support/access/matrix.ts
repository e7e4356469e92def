/**
 * Calls every operation in every role over REST and GraphQL, with objects of the caller and of others. The expected
 * results are in the access table, test/support/access/table.ts (C2, G7).
 */
import { expect } from 'chai';
import type { GraphQLSchema } from 'graphql';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { EVERYBODY, type CallerKind } from '../../../src/api/core/callers.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { idsIn } from '../checks/ids-in.js';
import { sourceOfRow } from '../checks/source-locations.js';
import { ACCESS, type AccessRow, type Input } from './table.js';
import { openWorld, type World } from './world.js';
import { expectSame, overGraphQL, overRest, type OperationResponse } from '../clients/rest-and-graphql.js';
import type { UserName } from '../worlds/users.js';
import { isFullDepth } from '../depth.js';

type Interface = 'REST' | 'GraphQL';

/** Number of test files among which the operations are divided to run in parallel. Each file opens a separate world. */
const PARTS = 3;

/** A job may progress between two calls, so only its id and kind are compared. */
const settled = (resource: unknown): unknown =>
  typeof resource === 'object' && resource !== null && 'progress' in resource && 'kind' in resource
    ? { id: 'id' in resource && resource.id, kind: resource.kind }
    : resource;

/** Declares the tests of one part of all operations: 0, 1 or 2. */
export function testAccess(part: number): void {
  const all = describeOperations();
  const operations = all.filter((_, index) => index % PARTS === part);
  let world: World;
  let schema: GraphQLSchema;
  const narrow = new Map<string, Promise<string>>();

  before(async () => {
    schema = createSchema(all, []);
    world = await openWorld();
  });
  after(() => world?.stop());

  const interfacesOf = ({ restOnly }: AccessRow): readonly Interface[] => (restOnly ? ['REST'] : ['REST', 'GraphQL']);
  const ask = (
    by: Interface,
    operation: Operation,
    input: Input,
    key: string | undefined,
  ): Promise<OperationResponse> =>
    by === 'REST'
      ? overRest(world.test.url, operation, input, key)
      : overGraphQL(world.test.url, schema, operation, input, key);
  /**
   * At full depth every role calls over both interfaces. At sampled depth only the first permitted role does; all
   * others use one.
   */
  const interfacesOfCaller = (row: AccessRow, role: CallerKind): readonly Interface[] => {
    const both = interfacesOf(row);
    if (isFullDepth || row.roles[0] === role) return both;
    const turn = EVERYBODY.indexOf(role) + all.findIndex(({ name }) => ACCESS[name] === row);
    return [both[turn % both.length]!];
  };
  const isUserRole = (role: CallerKind) => role !== 'anonymous' && role !== 'provider';
  /** Returns an API key without the scopes that the row requires. */
  const keyWithout = async (role: CallerKind, { scopes = [] }: AccessRow): Promise<string> => {
    const other = scopes.includes('datasets:read') ? 'orders:read' : 'datasets:read';
    const name = `${role} ${other}`;
    const made = narrow.get(name) ?? narrowKey(role, other);
    narrow.set(name, made);
    return made;
  };
  const narrowKey = async (role: CallerKind, scope: string): Promise<string> => {
    const made = await world.test.api('/api-keys', {
      key: await world.keyOf(role),
      body: { name: 'narrow', scopes: [scope] },
    });
    expect(made.status, made.text).to.equal(201);
    return made.json.secret as string;
  };

  for (const operation of operations) {
    // An operation with an additional fixed name is tested once, under its canonical name.
    const row = operation.canonical === undefined ? ACCESS[operation.name] : undefined;
    if (!row) continue;

    describe(operation.name, () => {
      const place = `row in ${sourceOfRow(operation.name)}`;
      it('answers those who may, and refuses all others', async () => {
        // A rejected call changes nothing, so all rejected roles can use the same input.
        const somebodys = await row.own(world, row.roles[0]!);
        for (const role of EVERYBODY) {
          const allowed = row.roles.includes(role);
          for (const by of interfacesOfCaller(row, role)) {
            const input = allowed ? await row.own(world, role) : somebodys;
            const response = await ask(
              by,
              operation,
              input,
              row.endsSession && isUserRole(role) ? await world.signInAgain(role) : await world.keyOf(role),
            );
            const what = `${operation.name} as ${role} over ${by} (${place}): ${response.text.slice(0, 300)}`;
            if (allowed && row.status === undefined) expect(response.status, what).to.be.below(300);
            else
              expect(response.status, what).to.equal(
                allowed ? row.status : row.notFoundFor?.includes(role) ? 404 : role === 'anonymous' ? 401 : 403,
              );
          }
        }
      });

      [row.foreign ?? []].flat().forEach((foreign, index) => {
        it(`knows nothing of what belongs to others (${index + 1})`, async () => {
          for (const role of foreign.as ?? row.roles.filter(isUserRole)) {
            // A rejected call changes nothing, so the same input serves both interfaces.
            const isRefused = 'status' in foreign;
            const theirs = isRefused && (await foreign.input(world, role));
            for (const by of isRefused ? interfacesOf(row) : interfacesOfCaller(row, role)) {
              const input = theirs || (await foreign.input(world, role));
              const response = await ask(by, operation, input, await world.keyOf(role));
              const what = `${operation.name} as ${role} over ${by} (${place}): ${response.text.slice(0, 300)}`;
              if ('status' in foreign) expect(response.status, what).to.equal(foreign.status);
              else {
                expect(response.status, what).to.be.below(300);
                if ('contains' in foreign) expect(response.text, what).to.contain(foreign.contains);
                else expect(response.text, what).to.not.contain(foreign.excludes(world));
              }
            }
          }
        });
      });

      it('needs the scopes of its row', async () => {
        expect([...(operation.scopes ?? [])].sort(), `scopes: ${place}`).to.deep.equal([...(row.scopes ?? [])].sort());
        expect(operation.loginOnly ?? false, `loginOnly: ${place}`).to.equal(row.loginOnly ?? false);
        if (!row.scopes && !row.loginOnly) return;
        const roles = row.roles.filter(isUserRole);
        const input = roles[0] ? await row.own(world, roles[0]) : {};
        for (const role of roles) {
          const key = await keyWithout(role, row);
          for (const by of interfacesOf(row)) {
            const response = await ask(by, operation, input, key);
            expect(
              [response.status, response.code],
              `${operation.name} as ${role} over ${by} (${place})`,
            ).to.deep.equal([403, row.scopes ? 'INSUFFICIENT_SCOPE' : 'FORBIDDEN']);
          }
        }
      });

      it('needs the module of its row', async function () {
        expect(operation.module, `module: ${place}`).to.equal(row.module);
        if (row.module === undefined) return;
        const { test, otherBusinessId } = world;
        const set = async (on: boolean) =>
          expect(
            (
              await test.api(`/businesses/${otherBusinessId}/modules/${row.module}`, {
                method: 'PUT',
                key: await world.keyOf('platform_admin'),
                body: { enabled: on },
              })
            ).status,
          ).to.equal(200);
        await set(false);
        try {
          for (const role of ['client_admin', 'broker'] as const) {
            if (!row.roles.includes(role)) continue;
            const { email, password } = test.demo.users[`other_${role}` as UserName];
            const { json } = await test.api('/user/login', { body: { email, password } });
            for (const by of interfacesOf(row))
              expect((await ask(by, operation, await row.own(world, role), json.access_token)).code).to.equal(
                'MODULE_OFF',
              );
          }
        } finally {
          await set(true);
        }
      });

      const { returns, returned = [] } = operation;
      if (returns) {
        it(`returns what ${returns.read} returns afterwards`, async () => {
          const read = all.find(({ name }) => name === returns.read)!;
          const role = row.roles.find((one) => read.callers.includes(one))!;
          const key = await world.keyOf(role);
          const input = await row.own(world, role);
          const written = await ask('REST', operation, input, key);
          expect(written.status, `${operation.name} (${place}): ${written.text.slice(0, 300)}`).to.be.below(300);
          const known: Record<string, unknown> = {
            ...idsIn(written.body as Input),
            ...input,
            ...(written.body as Input),
          };
          // For resources whose path parameter has another name: `address_id` of an `address_book_entry`.
          const [unnamed, ...more] = read.rest.path.match(/(?<=:)\w+/g)?.filter((name) => !(name in known)) ?? [];
          if (unnamed !== undefined && more.length === 0)
            known[unnamed] = Object.values(idsIn(written.body as Input))[0];
          const parameters = Object.keys(read.input.shape).filter((member) => member in known);
          const response = await ask(
            'REST',
            read,
            Object.fromEntries(parameters.map((member) => [member, known[member]])),
            key,
          );
          expect(response.status, response.text).to.equal(200);
          // `server_time` differs between calls.
          for (const member of returned.filter((name) => name !== 'server_time'))
            expect(settled((written.body as Input)[member]), member).to.deep.equal(
              settled((response.body as Input)[member]),
            );
        });
      }

      if (!row.restOnly) {
        it('answers the same over REST and GraphQL, field by field', async () => {
          const role = row.roles.includes('client_admin') ? 'client_admin' : row.roles[0]!;
          const key = async () => (row.endsSession ? world.signInAgain(role) : world.keyOf(role));
          const rest = await ask('REST', operation, await row.own(world, role), await key());
          const response = await ask('GraphQL', operation, await row.own(world, role), await key());
          expect(response.status < 300, response.text).to.equal(rest.status < 300);
          expectSame(operation, schema, rest.body, response.body, row.varies);
        });
      }
    });
  }
}
