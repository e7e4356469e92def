/**
 * Every operation, over every channel, on a connection that lacks one of its scopes, is rejected and has no effect.
 * Every write as a dry run stores nothing, sends nothing and returns no credentials. The rows are those of the access
 * table, so an operation of a new area is tested automatically.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { GraphQLSchema } from 'graphql';
import type { Operation } from '../../../src/api/core/operation.js';
import { ROLE_SCOPES } from '../../../src/api/core/scopes.js';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { createCatalogue, type Catalogue } from '../../../src/api/mcp/catalogue.js';
import type { Tool } from '../../../src/api/mcp/tool.js';
import { AREA_TOOLS } from '../../../src/areas/index.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { USER_ROLES, type UserRole } from '../../../src/events/accounts/events.js';
import { ACCESS, type AccessRow, type Input } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { changedTables, readDurableState, type DurableState } from '../../support/checks/durable-state.js';
import { isFullDepth } from '../../support/depth.js';
import { documentOf, overGraphQL, overRest } from '../../support/clients/rest-and-graphql.js';
import { rpc, type RpcAnswer } from '../../support/clients/mcp.js';

const REFUSALS = ['INSUFFICIENT_SCOPE', 'FORBIDDEN'];
/** Without a dry run, because it would check a password. */
const NO_DRY_RUN = ['userLogin', 'mePasswordSet'];
/** Takes bytes, which neither a tool nor GraphQL can carry: only over REST, which has no dry run. */
const NOT_FOR_AGENTS = ['rateCardTableImport', 'fileUpload'];
/** The form of the service's tokens and keys, and of tokens and codes of the authorization server. */
const SECRET = /[\w-]{40,}/g;

describe('agents O4: a connection does nothing beyond its scopes', () => {
  // A fixed name for the same operation is not tested again.
  const operations = describeOperations().filter(({ canonical }) => canonical === undefined);
  const rows = operations.flatMap((operation) => {
    const row = ACCESS[operation.name];
    const role = row?.roles.includes('client_admin')
      ? 'client_admin'
      : USER_ROLES.find((one) => row?.roles.includes(one));
    return row && role ? [{ operation, row, role }] : [];
  });
  const inputs = new Map<string, Input>();
  const keys = new Map<string, Promise<string>>();
  let world: World;
  let schema: GraphQLSchema;
  let catalogue: Catalogue;
  let quiet: DurableState;
  let requestCount = 0;

  before(async () => {
    schema = createSchema(operations, []);
    catalogue = createCatalogue({ operations, added: AREA_TOOLS });
    world = await openWorld();
    for (const { operation, row, role } of rows) {
      inputs.set(operation.name, await row.own(world, role));
      for (const scope of operation.scopes ?? []) await keyWithout(role, scope);
    }
    quiet = await untilQuiet();
  });
  after(async () => {
    console.log(`      ${rows.length} operations, ${requestCount} refused calls`);
    await world?.stop();
  });

  const pool = () => world.test.service.engines.pool;
  /** Waits until the background work after the inputs is done. */
  async function untilQuiet(): Promise<DurableState> {
    for (let last = await readDurableState(pool()), still = 0; ;) {
      await sleep(250);
      const now = await readDurableState(pool());
      still = changedTables(last, now).length === 0 ? still + 1 : 0;
      if (still === 8) return now;
      last = now;
    }
  }
  /** Hashing all rows takes most of the time of this file, so at sampled depth twenty calls are checked together. */
  const AT_ONCE = isFullDepth ? 1 : 20;
  let unjudged: string[] = [];
  async function expectUntouched(what: string): Promise<void> {
    unjudged.push(what);
    if (unjudged.length >= AT_ONCE) await judgeUntouched();
  }
  async function judgeUntouched(): Promise<void> {
    const now = await readDurableState(pool());
    const touched = changedTables(quiet, now);
    const calls = unjudged.join('\n');
    quiet = now;
    unjudged = [];
    expect(touched, `tables changed by one of these (VERIFY=1 finds the one):\n${calls}`).to.deep.equal([]);
  }

  const scopesWithout = (role: UserRole, scope: string): string[] =>
    [...ROLE_SCOPES[role]].filter((other) => other !== scope);
  function keyWithout(role: UserRole, scope: string): Promise<string> {
    const name = `${role} ${scope}`;
    const made = keys.get(name) ?? makeKey(role, scopesWithout(role, scope));
    keys.set(name, made);
    return made;
  }
  async function makeKey(role: UserRole, scopes: readonly string[]): Promise<string> {
    const made = await world.test.api('/api-keys', { key: await world.keyOf(role), body: { name: 'less', scopes } });
    expect(made.status, made.text).to.equal(201);
    return made.json.secret as string;
  }

  /** The arguments of a tool that are equal to this input; undefined if the tool does not take all of it. */
  function argumentsOf(tool: Tool, input: Input): Input | undefined {
    const named = Object.keys(tool.input.shape).map((name) => [Object.keys(tool.toInput({ [name]: 0 }))[0], name]);
    const argumentOf = new Map(named as [string, string][]);
    return Object.keys(input).every((member) => argumentOf.has(member))
      ? Object.fromEntries(Object.entries(input).map(([member, value]) => [argumentOf.get(member), value]))
      : undefined;
  }

  interface McpCall {
    readonly name: string;
    readonly arguments: Input;
    readonly path: string;
  }
  /** All calls by which an agent can reach it: its tools, and its field of GraphQL. */
  function mcpCalls(operation: Operation, row: AccessRow, input: Input): McpCall[] {
    const calls = (['operations', 'developer'] as const).flatMap((server) =>
      catalogue
        .tools(server)
        .filter((tool) => tool.operation.name === operation.name)
        .flatMap((tool) => {
          const args = argumentsOf(tool, input);
          const confirm = tool.confirm && { confirm: true };
          return args
            ? [
                {
                  name: tool.name,
                  arguments: { ...args, ...confirm },
                  path: server === 'developer' ? '/mcp/developer' : '/mcp',
                },
              ]
            : [];
        }),
    );
    if (row.restOnly) return calls;
    const document = { ...documentOf(schema, operation, input), confirm: true };
    return [...calls, { name: 'run_graphql_query', arguments: document, path: '/mcp/developer' }];
  }
  const call = ({ path, ...params }: McpCall, token: string, headers: Record<string, string>): Promise<RpcAnswer> =>
    rpc(world.test, 'tools/call', params, { path, token, headers });
  async function inBatch(
    { path, ...params }: McpCall,
    token: string,
    headers: Record<string, string>,
  ): Promise<unknown> {
    const response = await fetch(world.test.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-03-26',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
      ]),
    });
    return response.json();
  }

  it('every write of a user needs a scope, or declares its own check', () => {
    const without = rows.filter(({ operation }) => operation.writes && !operation.scopes?.length);
    // Writes that need no scope: sign-in, registration, upload, push token. A job needs the scope of its kind.
    expect(without.map(({ operation }) => operation.name)).to.have.members([
      'userLogin',
      'driverRegister',
      'jobCancel',
      'fileUpload',
    ]);
  });

  for (const { operation, row, role } of rows) {
    const needed = operation.scopes?.length
      ? operation.scopes
      : operation.name === 'jobCancel'
        ? ['routes:write' as const]
        : [];
    for (const scope of needed)
      it(`${operation.name} is rejected without ${scope}`, async () => {
        const input = inputs.get(operation.name)!;
        const key = await keyWithout(role, scope);
        const refused = (what: string, reply: unknown) => {
          requestCount += 1;
          const text = JSON.stringify(reply);
          expect(
            REFUSALS.some((code) => text.includes(`"code":"${code}"`)),
            `${what}: ${text.slice(0, 300)}`,
          ).to.equal(true);
          expect(text, what).not.to.match(/"data":\{"\w+":\{/);
        };
        const token = (await world.keyOf(role))!;
        const header = { 'x-mcp-scopes': scopesWithout(role, scope).join() };
        const narrowed: [string, Record<string, string>][] = [
          [token, header],
          [key, {}],
        ];
        await Promise.all([
          overRest(world.test.url, operation, input, key).then((reply) => refused('REST', reply)),
          row.restOnly ||
            overGraphQL(world.test.url, schema, operation, input, key).then((reply) => refused('GraphQL', reply)),
          ...mcpCalls(operation, row, input).flatMap((one) =>
            narrowed.flatMap(([who, more]) => [
              call(one, who, more).then(({ body }) => refused(one.name, body)),
              inBatch(one, who, more).then((reply) => refused(`${one.name} in a batch`, reply)),
              call(one, who, { ...more, 'x-mcp-dry-run': '1' }).then(({ body }) =>
                refused(`${one.name} as a dry run`, body),
              ),
            ]),
          ),
        ]);
        await expectUntouched(operation.name);
      });
  }

  const writes = rows.filter(({ operation }) => operation.writes);
  it('every write has a dry run, except those that no agent can call', () => {
    const without = writes.filter(
      ({ operation, row }) => mcpCalls(operation, row, inputs.get(operation.name)!).length === 0,
    );
    expect(without.map(({ operation }) => operation.name)).to.deep.equal(NOT_FOR_AGENTS);
  });

  for (const { operation, row, role } of writes.filter(({ operation: { name } }) => !NOT_FOR_AGENTS.includes(name)))
    it(`${operation.name} as a dry run leaves no row and returns no secret`, async () => {
      for (const one of mcpCalls(operation, row, inputs.get(operation.name)!)) {
        const { status, body } = await call(one, (await world.keyOf(role))!, { 'x-mcp-dry-run': '1' });
        const text = JSON.stringify(body);
        const what = `${operation.name} by ${one.name}: ${status} ${text.slice(0, 400)}`;
        expect(text.includes('"code":"NOT_REHEARSED"'), what).to.equal(NO_DRY_RUN.includes(operation.name));
        if (!NO_DRY_RUN.includes(operation.name)) {
          expect(text, what).to.include('"dry_run":true');
          expect(text, what).not.to.match(/"errors":\[\{[^\]]*"code"/);
        }
        await expectUntouched(what);
        for (const secret of new Set(text.match(SECRET)))
          expect((await world.test.api('/me', { key: secret })).status, `${what} lets in`).to.equal(401);
      }
    });

  it('the remaining unchecked calls changed nothing', judgeUntouched);
});
