/**
 * Tools that use no MCP protocol features: schemas, sanitized texts, and GraphQL within the permissions of a
 * connection.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { ANONYMOUS, type UserCaller } from '../../../src/api/core/callers.js';
import type { ApiError } from '../../../src/api/core/errors.js';
import { createCallTool } from '../../../src/api/mcp/call-tool.js';
import { clean, cleanText } from '../../../src/api/mcp/clean.js';
import type { Connection } from '../../../src/api/mcp/connection.js';
import { graphqlTool } from '../../../src/api/mcp/graphql-tool.js';
import { portableSchema } from '../../../src/api/mcp/portable-schema.js';
import { toolOf } from '../../../src/api/mcp/tool.js';
import { authorize, type Invoke } from '../../../src/api/core/invoke.js';
import { operation } from '../../../src/api/core/operation.js';
import type { Scope } from '../../../src/api/core/scopes.js';
import { isSignedBy, signatureHeaders } from '../../../src/webhooks/signature.js';
import { Webhook } from 'standardwebhooks';

const CALLER: UserCaller = {
  role: 'client_admin',
  userId: 1,
  businessId: 1,
  timezone: 'UTC',
  tokenId: 't',
  tokenKind: 'login',
  scopes: new Set<Scope>(['orders:read', 'orders:write']),
  modules: new Set(),
};
const hold = operation({
  name: 'orderHold',
  area: 'Orders',
  summary: 'Hold.',
  rest: { method: 'post', path: '/x' },
  callers: ['client_admin'],
  scopes: ['orders:write'],
  risk: 'high',
  confirm: true,
  writes: true,
  input: z.object({ order_id: z.int() }),
  output: z.looseObject({}),
  run: ({ order_id }) => Promise.resolve({ held: order_id }),
});

describe('tools', () => {
  const connection = (more: Partial<Connection> = {}): Connection => ({
    server: 'developer',
    caller: CALLER,
    profile: undefined,
    dryRun: false,
    requireApproval: false,
    isDetailed: false,
    countHighRisk: () => Promise.resolve(),
    call: { channel: 'mcp', address: '', header: () => undefined },
    nextRequestId: () => '00000000-0000-4000-8000-000000000000',
    ...more,
  });
  const invoke: Invoke = async (called, input, call) => {
    authorize(called, call.caller);
    if (call.dryRun)
      call.dryRun.push({ stream: 'order-1', fact: { id: '1', type: { type: 'OrderHeld' } as never, data: {} } });
    return { result: await called.run(input() as never, {} as never), position: undefined };
  };
  const proposed: unknown[] = [];
  const callTool = createCallTool({
    invoke,
    baseUrl: () => 'http://x',
    observe: () => undefined,
    toolOf: () => undefined,
    propose: (called, input) =>
      Promise.resolve({
        result: { queued: true, proposal_id: 'p', asked: proposed.push([called.name, input]) },
        position: undefined,
      }),
  });
  /** A GraphQL tool with one operation. */
  const graphql = graphqlTool(async (_request, call, through) => {
    try {
      return { data: (await through(hold, () => ({ order_id: 1 }), call)).result };
    } catch (error) {
      return { errors: [{ code: (error as ApiError).code }] };
    }
  });
  const run = async (args: object, more?: Partial<Connection>) =>
    (await callTool(graphql, { query: 'mutation { orderHold }', ...args }, connection(more)))
      .structuredContent as Record<string, unknown>;

  describe('run_graphql_query', () => {
    it('requires the confirmation of the operations that it calls', async () => {
      expect(await run({})).to.deep.equal({ errors: [{ code: 'CONFIRM_REQUIRED' }] });
      expect(await run({ confirm: true })).to.deep.equal({ data: { held: 1 } });
    });
    it('requires their scopes', async () =>
      expect(
        await run({ confirm: true }, { caller: { ...CALLER, scopes: new Set<Scope>(['orders:read']) } }),
      ).to.deep.equal({ errors: [{ code: 'INSUFFICIENT_SCOPE' }] }));
    it('queues it if the connection requires approvals', async () => {
      expect(await run({ confirm: true }, { requireApproval: true })).to.deep.equal({
        errors: [{ code: 'QUEUED_FOR_APPROVAL' }],
      });
      expect(proposed).to.deep.equal([['orderHold', { order_id: 1 }]]);
    });
    it('passes on a dry run', async () =>
      expect(await run({}, { dryRun: true, requireApproval: true })).to.deep.include({
        dry_run: true,
        would_append: [{ stream: 'order-1', type: 'OrderHeld', data: {} }],
      }));
    it('is for users', async () =>
      expect(await run({}, { caller: ANONYMOUS })).to.have.nested.property('error.code', 'UNAUTHENTICATED'));
  });

  it('reveal nothing of an unexpected error', async () => {
    const failing = toolOf(
      { name: 'x', title: 'X', description: 'X.', category: 'orders', operation: 'orderHold' },
      { ...hold, run: () => Promise.reject(new Error('password=123')) },
    );
    const result = await callTool(failing, { order_id: 1, confirm: true }, connection());
    expect(result.isError).to.equal(true);
    expect(JSON.stringify(result)).to.include('INTERNAL').and.not.include('123');
  });

  it('rename arguments, and have fixed members', async () => {
    const renamed = toolOf(
      {
        name: 'x',
        title: 'X',
        description: 'X.',
        category: 'orders',
        operation: 'orderHold',
        rename: { id: 'order_id' },
      },
      hold,
    );
    expect(renamed.listed().inputSchema).to.have.nested.property('properties.id');
    expect((await callTool(renamed, { id: 5, confirm: true }, connection())).structuredContent).to.deep.equal({
      held: 5,
    });
    const fixed = toolOf(
      { name: 'x', title: 'X', description: 'X.', category: 'orders', operation: 'orderHold', fixed: { order_id: 9 } },
      hold,
    );
    expect((await callTool(fixed, { confirm: true }, connection())).structuredContent).to.deep.equal({ held: 9 });
    expect((await callTool(fixed, { order_id: 8, confirm: true }, connection())).isError).to.equal(true);
  });

  it('have schemas without null, references and unions at the root', () => {
    const inner = z.object({ a: z.string().nullable(), type: z.enum(['x']) }).meta({ id: 'Inner' });
    const schema = portableSchema(
      z.strictObject({ one: inner, many: z.array(inner).optional(), either: z.union([z.string(), z.null(), z.int()]) }),
    );
    expect(schema).to.deep.equal({
      type: 'object',
      required: ['one', 'either'],
      additionalProperties: false,
      properties: {
        one: {
          type: 'object',
          properties: { a: { type: 'string' }, type: { type: 'string', enum: ['x'], description: 'Only this type.' } },
          required: ['a', 'type'],
        },
        many: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              a: { type: 'string' },
              type: { type: 'string', enum: ['x'], description: 'Only this type.' },
            },
            required: ['a', 'type'],
          },
        },
        either: {
          anyOf: [
            { type: 'string' },
            { type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 },
          ],
        },
      },
    });
  });

  describe('sanitized texts', () => {
    it('contain no invisible characters', () => {
      expect(cleanText('a\u0000b\u200bc\u202ed\u{e0041}e\ufefff\u2066g')).to.equal('abcdefg');
      expect(cleanText('می\u200cخواهم 👩\u200d🚀\tline\n')).to.equal('می\u200cخواهم 👩\u200d🚀\tline\n');
      expect(cleanText('a\u200c\u200d\u200cb')).to.equal('ab');
      expect(cleanText('x'.repeat(30_000))).to.have.length(20_001);
    });
    it('stay unchanged if nothing is hidden, in any structure', () => {
      fc.assert(
        fc.property(
          fc.jsonValue({ stringUnit: fc.constantFrom(...'abc é漢😀 \n') }),
          (value) => void expect(clean(value)).to.deep.equal(value),
        ),
      );
    });
    it('leave files unchanged', () => expect(clean({ base64: 'A'.repeat(30_000) }).base64).to.have.length(30_000));
  });

  describe('webhook signatures', () => {
    const payload = '{"event":"ä"}';
    const sent = (webhook: Webhook) => ({
      payload,
      id: 'msg_1',
      timestamp: '1760000000',
      signature: webhook.sign('msg_1', new Date(1_760_000_000_000), payload),
    });
    it('equal those of the reference implementation', () => {
      const raw = 'a secret of the raw kind';
      expect(isSignedBy(raw, sent(new Webhook(raw, { format: 'raw' })))).to.equal(true);
      const coded = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`;
      expect(isSignedBy(coded, sent(new Webhook(coded)))).to.equal(true);
      for (const secret of [raw, coded]) {
        const signed = signatureHeaders('msg_1', 1_760_000_000_000, Buffer.from(payload), [{ secret }]);
        const webhook = { payload, id: 'msg_1', timestamp: '1760000000', signature: signed['webhook-signature']! };
        expect(isSignedBy(secret, webhook), secret).to.equal(true);
      }
    });
    it('match one of several, and nothing else', () => {
      const raw = 'a secret of the raw kind';
      const webhook = sent(new Webhook(raw, { format: 'raw' }));
      expect(isSignedBy(raw, { ...webhook, signature: `v1,AAAA ${webhook.signature}` })).to.equal(true);
      for (const wrong of [
        { payload: '{}' },
        { id: 'msg_2' },
        { timestamp: '1760000001' },
        { signature: webhook.signature.replace('v1,', 'v2,') },
        { signature: '' },
        { signature: 'v1,' },
      ])
        expect(isSignedBy(raw, { ...webhook, ...wrong }), JSON.stringify(wrong)).to.equal(false);
      expect(isSignedBy('another', webhook)).to.equal(false);
    });
  });
});
