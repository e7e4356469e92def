/** The target of the fuzz test: a service with objects for all operations, and all kinds of callers. */
import { randomUUID } from 'node:crypto';
import { pino, type Logger } from 'pino';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { createTokens } from '../../../src/engines/postgres/tokens.js';
import { USER_ROLES } from '../../../src/events/accounts/events.js';
import { ACCESS } from '../access/table.js';
import { openWorld, type World } from '../access/world.js';
import { listTools } from '../clients/mcp.js';
import type { UserName } from '../worlds/users.js';
import type { Sample } from './rest.js';
import type { FuzzInputs } from './request-generator.js';

const USERS: readonly UserName[] = [...USER_ROLES, 'other_client_admin'];
/** Maximum number of stored values per name. */
const MAX_VALUES = 12;

export interface FuzzTarget {
  readonly world: World;
  readonly inputs: FuzzInputs;
  /** Tokens by the name of the caller. */
  readonly keys: ReadonlyMap<string, string>;
  /** Signs in callers again whose sessions were ended by a request. */
  renew(): Promise<void>;
  /** Errors that the service logged. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export async function openFuzzTarget(): Promise<FuzzTarget> {
  const errors: string[] = [];
  const logger: Logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const world = await openWorld({ logger });
  const operations = describeOperations();
  const keys = new Map<string, string>([['stranger', `ott_${'x'.repeat(43)}`]]);
  keys.set('provider', world.demo.provider.key);
  const accounts = new Map<UserName, number>();
  const signIn = async (name: UserName): Promise<void> => {
    const { email, password } = world.demo.users[name];
    const { json } = await world.test.api('/user/login', { body: { email, password } });
    keys.set(name, json.access_token as string);
    accounts.set(name, (await world.test.api('/me', { key: keys.get(name) })).json.user.id as number);
  };
  await Promise.all(USERS.map(signIn));
  const tokens = createTokens(world.test.service.engines.pool);
  // Tokens are inserted directly, because requests change and guess the passwords, so that a sign-in can fail.
  const tokenFor = async (name: UserName): Promise<void> => {
    const account = accounts.get(name)!;
    keys.set(name, await tokens.add({ id: randomUUID(), account, kind: 'login', scopes: PROFILES.full }));
  };

  const validInputs = new Map<string, Sample[]>();
  const known = new Map<string, unknown[]>();
  for (const { name, canonical = name } of operations) {
    const row = ACCESS[canonical]!;
    for (const role of new Set([row.roles[0]!, row.roles.at(-1)!])) {
      const made = async () => row.own(world, role);
      // Retried once, because a short overload of the machine is not the subject of this test.
      const input = structuredClone(await made().catch(made));
      validInputs.set(name, [
        ...(validInputs.get(name) ?? []),
        { caller: role === 'anonymous' ? undefined : role, input },
      ]);
      remember(input, known);
    }
  }
  const callers = [undefined, 'stranger', 'provider', 'client_admin', 'client_admin', ...USERS];
  const tools = await toolsOf(world, keys);

  // Ignore errors of the start, when the service was not ready for a moment.
  errors.length = 0;
  return {
    world,
    inputs: { validInputs, known, tools, callers },
    keys,
    errors,
    async renew() {
      for (const name of USERS)
        if ((await world.test.api('/me', { key: keys.get(name) })).status === 401) await tokenFor(name);
    },
    close: () => world.stop(),
  };
}

async function toolsOf({ test }: World, keys: ReadonlyMap<string, string>) {
  const lists = await Promise.all(
    ['/mcp', '/mcp/developer'].flatMap((path) =>
      [...USERS, undefined].map(async (user) => {
        const headers = { 'x-mcp-profile': 'full' };
        const listed = await listTools(test, { path, headers, token: user && keys.get(user) });
        return listed.map(({ name, inputSchema }) => ({ path, name, inputSchema }));
      }),
    ),
  );
  return [...new Map(lists.flat().map((tool) => [tool.path + tool.name, tool])).values()];
}

/** Stores each member of the input by its name, at any depth. */
function remember(value: unknown, known: Map<string, unknown[]>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      const values = known.get(name) ?? [];
      if (values.length < MAX_VALUES) known.set(name, [...values, member]);
    }
    remember(member, known);
  }
}
