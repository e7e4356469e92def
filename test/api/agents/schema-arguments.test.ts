/**
 * How often the first call succeeds when its arguments come from the schema alone. Each tool is filled in by its
 * example, the examples, enums and defaults of its members, and ids that lists have returned. Writes are dry runs.
 */
import { expect } from 'chai';
import { callTool, listTools, tokenOf, type ListedTool } from '../../support/clients/mcp.js';
import { ORDER } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

type Schema = Readonly<Record<string, unknown>>;

describe('tools that are filled in from their schema alone', () => {
  let service: TestService;
  let token: string;
  /** Ids that an agent has read before, by the name of the argument. */
  const known = new Map<string, unknown>();

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
    const seen = async (name: string, args: object = {}) =>
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      (await callTool(service, name, args, { token })).structuredContent as any;
    const made = await seen('create_order', { ...ORDER, order_ref: 'SHOP-4711' });
    known.set('order_id', made.order_id).set('order_ids', [made.order_id]).set('order_refs', ['SHOP-4711']);
    known.set('tracking_number', made.tracking_numbers[0]);
    const { async_id } = await seen('bulk_create_orders_async', { orders: [ORDER], confirm: true });
    known.set('async_id', async_id);
    const proposed = await seen('propose_write', {
      tool: 'cancel_order',
      arguments: { order_id: made.order_id, confirm: true },
    });
    known.set('proposal_id', proposed.proposal.id);
    const { drivers } = await seen('get_drivers');
    known.set('driver_id', drivers[0].driver_id ?? drivers[0].id);
    const { routes } = await seen('get_routes');
    known.set('route_id', routes[0].route_id ?? routes[0].id);
  });
  after(() => service.stop());

  function filled(name: string, schema: Schema): unknown {
    if (known.has(name)) return known.get(name);
    const {
      examples,
      enum: choices,
      default: usual,
      type,
      format,
      minimum,
      items,
      minItems,
    } = schema as {
      examples?: unknown[];
      enum?: unknown[];
      default?: unknown;
      type?: string;
      format?: string;
      minimum?: number;
      items?: Schema;
      minItems?: number;
    };
    if (examples) return examples[0];
    if (usual !== undefined) return usual;
    if (choices) return choices[0];
    if (format === 'uuid') return '6f1c2b1e-8d0a-4f4e-9f2b-0d3a5c7e9b11';
    if (type === 'boolean') return true;
    if (type === 'integer' || type === 'number') return minimum ?? 1;
    if (type === 'array') return Array.from({ length: minItems ?? 0 }, () => filled('', items ?? {}));
    if (type === 'object') return argumentsOf(schema);
    return 'text';
  }

  function argumentsOf(schema: Schema): Record<string, unknown> {
    const {
      properties = {},
      required = [],
      examples,
    } = schema as { properties?: Record<string, Schema>; required?: string[]; examples?: Record<string, unknown>[] };
    if (examples) return withKnown(examples[0]!) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(properties)
        // A known id is used, also where another argument would be enough.
        .filter(([name]) => required.includes(name) || name === 'confirm' || (name.endsWith('_id') && known.has(name)))
        .map(([name, inside]) => [name, filled(name, inside)]),
    );
  }

  /** Ids in an example belong to another installation. */
  function withKnown(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]) => [
        name,
        name.startsWith('order_id') && known.has(name) ? known.get(name) : withKnown(inside),
      ]),
    );
  }

  for (const path of ['/mcp', '/mcp/developer'])
    it(`succeed with the first call at ${path}`, async () => {
      const wrong: string[] = [];
      const tools = await listTools(service, { token, path });
      for (const tool of tools) {
        const args = argumentsOf(tool.inputSchema as Schema);
        const headers: Record<string, string> = isWrite(tool) ? { 'x-mcp-dry-run': '1' } : {};
        const { isError, structuredContent } = await callTool(service, tool.name, args, { token, path, headers });
        const { error } = structuredContent as { error?: { status: number; code: string; errors?: unknown } };
        // A missing object, or a missing setting of the business, is not an error of the arguments.
        if (isError && ![404, 409].includes(error!.status) && error!.code !== 'NO_START')
          wrong.push(`${tool.name} ${JSON.stringify(args)}: ${error!.code} ${JSON.stringify(error!.errors ?? '')}`);
      }
      console.log(`      ${path}: ${tools.length - wrong.length} of ${tools.length} tools right the first time`);
      expect(wrong).to.deep.equal([]);
    });

  const isWrite = ({ annotations }: ListedTool): boolean => annotations['readOnlyHint'] === false;
});
