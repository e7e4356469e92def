/** How much of a model's context the tools take: their list, their descriptions, and pages of results. */
import { expect } from 'chai';
import { PROFILE_NAMES } from '../../../src/api/core/scopes.js';
import { callTool, jsonIn, listDetails, listTools, tokenOf } from '../../support/clients/mcp.js';
import { STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SERVERS = ['/mcp', '/mcp/developer'] as const;
/** Bytes of a page of a list by default, and of any page. */
const DEFAULT_PAGE_BYTES = 6_000;
const PAGE_BYTES = 40_000;
const ORDERS = 50;
/** Characters of the marks around text by users: 75 tokens. */
const MARK_BYTES = 300;
/** Average bytes per tool in `tools/list`. */
const TOOL_BYTES = 1_000;

type Schema = Readonly<Record<string, unknown>>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The arguments at every depth, with their paths. */
function membersOf(schema: Schema, path = ''): [path: string, name: string, schema: Schema][] {
  const { properties = {}, items } = schema as { properties?: Record<string, Schema>; items?: Schema };
  return [
    ...Object.entries(properties).flatMap(([name, inside]): [string, string, Schema][] => [
      [path + name, name, inside],
      ...membersOf(inside, `${path}${name}.`),
    ]),
    ...(items ? membersOf(items, path) : []),
  ];
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

describe('context size of tools', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  for (const path of SERVERS)
    for (const profile of PROFILE_NAMES)
      it(`tools/list of ${path} for ${profile} is at most ${TOOL_BYTES} bytes a tool on average`, async () => {
        const tools = await listTools(service, { token, path, headers: { 'x-mcp-profile': profile } });
        const bytes = bytesOf(tools);
        console.log(`      ${tools.length} tools, ${bytes} bytes, ${Math.round(bytes / 4)} tokens`);
        expect(bytes / tools.length).to.be.at.most(TOOL_BYTES);
      });

  it('lists output schemas and _meta only for a client that asks for details', async () => {
    for (const path of SERVERS) {
      for (const tool of await listTools(service, { token, path }))
        expect(tool, tool.name).to.have.all.keys('name', 'title', 'description', 'inputSchema', 'annotations');
      for (const tool of await listDetails(service, { token, path }))
        expect(tool, tool.name).to.include.keys('outputSchema', '_meta');
    }
  });

  it('describes every argument at every depth, with more than its name', async () => {
    const bare: string[] = [];
    for (const path of SERVERS)
      for (const { name: tool, inputSchema } of await listTools(service, { token, path }))
        for (const [place, name, { description }] of membersOf(inputSchema))
          if (typeof description !== 'string' || wordsOf(description) === '' || wordsOf(description) === wordsOf(name))
            bare.push(`${tool} ${place}: ${String(description)}`);
    expect(bare, 'describe them in `arguments` of the tool, or in src/api/mcp/argument-descriptions.ts').to.deep.equal(
      [],
    );
  });

  it('has no pattern, and no object whose members are listed twice', async () => {
    for (const path of SERVERS)
      for (const { name, inputSchema } of await listTools(service, { token, path })) {
        const members = membersOf(inputSchema);
        for (const [place, , schema] of members) expect(schema, `${name} ${place}`).not.to.have.property('pattern');
        const objects = members.flatMap(([, , { properties }]) => (properties ? [JSON.stringify(properties)] : []));
        const repeated = objects.filter((text, index) => text.length > 200 && objects.indexOf(text) !== index);
        expect(repeated, name).to.deep.equal([]);
      }
  });

  it('has examples that match the argument', async () => {
    const examples = new Map<string, unknown>();
    for (const path of SERVERS)
      for (const { name, inputSchema } of await listTools(service, { token, path }))
        for (const [place, , schema] of membersOf(inputSchema))
          if (Array.isArray(schema['examples'])) examples.set(`${name} ${place}`, schema['examples'][0]);
    expect(examples.get('find_order query')).to.equal('Lovelace');
    expect(examples.get('run_graphql_query query')).to.equal('{ me { result } }');
    expect(examples.get('get_api_endpoints query')).to.equal('create order');
    expect(examples.get('search_address query')).to.equal('Hauptstrasse Hamburg');
    expect(
      [...examples].filter(([place, example]) => example === 'Lovelace' && place !== 'find_order query'),
    ).to.deep.equal([]);
  });

  describe('pages of results', () => {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const call = async (name: string, args: object = {}, path = '/mcp'): Promise<any> => {
      const { structuredContent, content, isError } = await callTool(service, name, args, { token, path });
      expect(isError, `${name} ${JSON.stringify(structuredContent)}`).not.to.equal(true);
      expect(content).to.have.length(1);
      // One compact text, equal to the structured content except for the marks around text by users.
      expect(jsonIn({ content })).to.deep.equal(structuredContent);
      expect(content[0]!.text.length - JSON.stringify(structuredContent).length, name).to.be.at.most(MARK_BYTES);
      return structuredContent;
    };
    const refused = async (name: string, args: object) =>
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      ((await callTool(service, name, args, { token })).structuredContent as any).error;
    const made: number[] = [];

    before(async () => {
      const order = (n: number) => ({
        type: n % 5 === 0 ? 'P2P' : 'D',
        order_ref: `WEB-2046-${String(n).padStart(6, '0')}`,
        schedule_date: '2046-03-02',
        allow_past_date: true,
        ...(n % 5 === 0 && {
          pickup: { ...STOP, name: 'Grace Brewster Murray Hopper', company: 'Example Trading Ltd' },
        }),
        delivery: {
          ...STOP,
          name: `Augusta Ada King, Countess of Lovelace ${n}`,
          company: 'Analytical Engines and Difference Works GmbH',
          street_2: 'Rear building, third floor, second door on the left',
          position: { latitude: 43.6426, longitude: -79.3871 },
        },
        packages: [1, 2].map((part) => ({
          external_tracking_number: `1Z999AA1${String(n).padStart(6, '0')}${part}`,
          description: 'Books and printed matter, fragile, keep dry',
          weight_kg: 12.5,
          length_cm: 60,
          width_cm: 40,
          height_cm: 30,
        })),
        time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }],
        delivery_instruction: 'Ring twice. If nobody answers, leave it with the neighbour on the ground floor.',
        note: 'Customer asked for a call half an hour before the delivery. Second attempt.',
      });
      const orders = Array.from({ length: ORDERS }, (_, n) => order(n));
      const { results } = await call('bulk_create_orders', { orders, confirm: true });
      made.push(...results.map(({ order_id }: { order_id: number }) => order_id));
      expect(made.every(Number.isInteger)).to.equal(true);
    });

    it(`of every list are below ${DEFAULT_PAGE_BYTES} bytes by default, with 20 rows at most and no null`, async () => {
      for (const path of SERVERS)
        for (const { name, inputSchema } of await listTools(service, { token, path })) {
          const { per_page: perPage } = inputSchema.properties;
          if (!perPage) continue;
          expect(perPage['default'], name).to.equal(name === 'list_pending_approvals' ? 10 : 20);
          expect(inputSchema.properties, name).to.have.property('fields');
          if (inputSchema.required) continue;
          const page = await call(name, {}, path);
          expect(bytesOf(page), name).to.be.below(DEFAULT_PAGE_BYTES);
          expect(JSON.stringify(page), name).not.to.match(/:null[,}]/);
          if (name === 'get_orders')
            expect(page).to.include({ per_page: 20 }).and.have.property('orders').of.length(20);
        }
    });

    it(`of any size are below ${PAGE_BYTES} bytes, and next leads through all rows once`, async () => {
      for (const fields of [undefined, '*', 'id,packages,note'])
        for (const per_page of [200, 7, 37]) {
          const seen: number[] = [];
          let next: { cursor?: string; per_page: number } | undefined = { per_page };
          while (next) {
            const page = await call('get_orders', { ...next, ...(fields !== undefined && { fields }) });
            expect(bytesOf(page), `${fields} ${per_page}`).to.be.below(PAGE_BYTES);
            seen.push(...page.orders.map(({ id }: { id: number }) => id));
            if (page.next)
              expect(page.next).to.have.all.keys('cursor', 'per_page').and.include({ per_page: page.per_page });
            else expect(seen, `${fields} ${per_page}`).to.have.length(page.total);
            ({ next } = page);
          }
          expect(new Set(seen).size, `${fields} ${per_page}`).to.equal(seen.length);
          expect(seen).to.include.members(made);
        }
    });

    it('of a search are below the default size, with the members of a row', async () => {
      const page = await call('find_order', { query: 'Lovelace' });
      expect(bytesOf(page)).to.be.below(DEFAULT_PAGE_BYTES);
      expect(page.orders).to.have.length(10);
      expect(page.orders[0]).to.include.keys('id', 'status', 'delivery', 'packages').and.not.include.keys('note');
    });

    it('of a search report omitted matches', async () => {
      const page = await call('find_order', { query: 'Lovelace', limit: 50 });
      expect(bytesOf(page)).to.be.below(PAGE_BYTES);
      expect(page.orders.length + (page.omitted ?? 0)).to.equal(50);
      const short = await call('find_order', { query: 'Lovelace', limit: 50, fields: 'id' });
      expect(short).not.to.have.property('omitted');
      expect(short.orders).to.have.length(50);
      expect(Object.keys(short.orders[0])).to.deep.equal(['id']);
    });

    it('have the members that fields selects, also for single objects', async () => {
      const [order_id] = made;
      const { orders } = await call('get_orders', { fields: 'id, packages.tracking_number', per_page: 1 });
      expect(Object.keys(orders[0])).to.have.members(['id', 'packages']);
      expect(Object.keys(orders[0].packages[0])).to.deep.equal(['tracking_number']);
      expect((await call('get_order_detail', { order_id, fields: 'status' })).order).to.deep.equal({
        status: 'NEW_ORDER',
      });
      expect(await call('order_snapshot', { order_id, fields: 'order.status' })).to.deep.equal({
        result: true,
        order: { status: 'NEW_ORDER' },
      });
      const all = await call('get_order_detail', { order_id });
      expect(all.order).to.include.keys('packages', 'note', 'delivery').and.not.include.keys('route_id');
    });

    it('are rejected with an unknown name, and the error lists the valid names', async () => {
      for (const name of ['get_orders', 'get_order_detail'])
        for (const [fields, known] of [
          ['id,state', 'status'],
          ['delivery.zip', 'postal_code'],
          ['', undefined],
        ] as const) {
          const { code, errors } = await refused(name, {
            fields,
            ...(name === 'get_order_detail' && { order_id: made[0] }),
          });
          expect([code, errors[0].path], `${name} ${fields}`).to.deep.equal(['INVALID_INPUT', '/fields']);
          if (known !== undefined) expect(errors[0].message).to.include(known);
        }
    });
  });
});
