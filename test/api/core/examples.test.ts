/**
 * The examples in the documents are valid requests on a fresh demo, sent one after the other. Only values that the
 * service generates (a UUID, a hash of events) replace values of an example.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp } from 'node:fs/promises';
import { expect } from 'chai';
import type { Example } from '../../../src/api/core/example.js';
import type { Operation } from '../../../src/api/core/operation.js';
import { bodyMembersOf, placementOf } from '../../../src/api/rest/input.js';
import { AREAS } from '../../../src/areas/index.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { seedDemo, type Demo } from '../../../src/compose/demo/demo.js';
import { call } from '../../support/clients/http.js';
import { idsIn } from '../../support/checks/ids-in.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** Ids that the service assigns: a path uses the id of the latest object. */
const GIVEN_OUT = /^(address|alliance|dataset|document|fleet|grant|map|plan|poi|record|transfer)_id$/;

/** Examples that need more than the demo has: their bodies are only checked against the schema. */
const NEEDS: Readonly<Record<string, string>> = {
  billRefund: 'a payment',
  datasetImport: 'an uploaded table',
  effectSettle: 'a call to an external system',
  jobCancel: 'a job under way',
  scanConflictSettle: 'a scan that contradicts its order',
  scanSupersede: 'a scan with a known id',
  wmsConflictSettle: 'a scan that was refused',
};

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
}

interface Bodied {
  readonly operation: Operation;
  readonly members: number;
}

const bodied = (): readonly Bodied[] =>
  describeOperations().flatMap((operation) => {
    const placement = placementOf(operation);
    const members = bodyMembersOf(operation, placement);
    return placement.body === 'none' ? [] : [{ operation, members: members.length }];
  });

describe('examples of requests', () => {
  let t: TestService;
  let demo: Demo;
  before(async () => {
    t = await startTestService({ seed: false });
    demo = await seedDemo(t.service, await mkdtemp(join(tmpdir(), 'transport-examples-')));
  });
  after(() => t.stop());

  it('exist for every body with members', () =>
    expect(
      bodied()
        .filter(({ operation: { example }, members }) => members > 0 && !example)
        .map(({ operation: { name } }) => name),
    ).to.deep.equal([]));

  it('are in the OpenAPI document, for every JSON body', async () => {
    const { json } = await call(`${t.url}/api/openapi.json`);
    const operations = Object.values(json.paths as Record<string, Record<string, Described>>).flatMap((path) =>
      Object.values(path),
    );
    const without = operations.filter(({ requestBody }) =>
      Object.entries(requestBody?.content ?? {}).some(
        ([type, content]) => /json/.test(type) && !('example' in content),
      ),
    );
    expect(operations.filter(({ requestBody }) => requestBody)).to.not.be.empty;
    expect(without.map(({ operationId }) => operationId)).to.deep.equal([]);
  });

  it('match the input of the operation', () => {
    for (const { operation } of bodied()) {
      const { name, input, rest, example } = operation;
      if (!example) continue;
      const body = rest.body ? { [rest.body]: example.body } : (example.body as object);
      const { error } = input.safeParse({ ...example.path, ...example.query, ...body });
      expect(error?.issues ?? [], name).to.deep.equal([]);
    }
  });

  it('succeed on a fresh demo, in their order', async () => {
    const tokens = new Map([['provider', demo.provider.key]]);
    const tokenOf = async (as: string): Promise<string> => {
      if (!tokens.has(as)) {
        const { email, password } = demo.users[as as keyof typeof demo.users];
        tokens.set(as, (await t.api('/user/login', { body: { email, password } })).json.access_token as string);
      }
      return tokens.get(as)!;
    };
    const operations = new Map(describeOperations().map((operation) => [operation.name, operation]));
    const made = new Map<string, string>();
    const refused: string[] = [];
    for (const [name, example] of AREAS.flatMap(({ examples = {} }) => Object.entries(examples))) {
      if (NEEDS[name] !== undefined) continue;
      const { rest } = operations.get(name)!;
      const key = await tokenOf(example.as ?? 'client_admin');
      const { path = {}, query, body } = { ...example, ...(await KNOWN_HERE[name]?.(t, key, example, demo)) };
      const address = rest.path.replace(/[:*](\w+)/g, (_all, member: string) =>
        encodeURIComponent(made.get(member) ?? path[member]!),
      );
      const search = query ? `?${new URLSearchParams(query).toString()}` : '';
      const as = name === 'mePasswordSet' ? await signedIn(t, 'grace@demo.example') : key;
      const answer = await call(`${t.url}/api${address}${search}`, {
        method: rest.method.toUpperCase(),
        key: as,
        body,
      });
      for (const [member, value] of Object.entries({
        ...answer.json,
        ...idsIn(answer.json),
        ...answer.json?.records?.[0],
      }))
        if (GIVEN_OUT.test(member)) made.set(member, String(value));
      if (answer.status >= 300) refused.push(`${name}: ${answer.status} ${answer.text.slice(0, 400)}`);
    }
    expect(refused).to.deep.equal([]);
  });
});

const signedIn = async (t: TestService, email: string): Promise<string> =>
  (await t.api('/user/login', { body: { email, password: 'correct horse battery staple' } })).json
    .access_token as string;

/** A proposal by another user than the reviewer. */
const proposed = async (t: TestService, _key: string, { body }: Example, demo: Demo): Promise<Partial<Example>> => {
  const { email, password } = demo.users.employee;
  const { json: session } = await t.api('/user/login', { body: { email, password } });
  const { json } = await t.api('/proposals', {
    key: session.access_token,
    body: { tool: 'update_order_note', arguments: { order_id: 8, note: 'x' } },
  });
  return { path: { proposal_id: json.proposal.id }, body };
};

/** A response of a provider to the offer of the order; an order without an offer is offered first. */
const answered = async (
  t: TestService,
  key: string,
  { path, body }: Example,
  demo: Demo,
): Promise<Partial<Example>> => {
  const { order_id } = path!;
  const read = () => t.api(`/thirdpartydelivery/orders/${order_id}`, { key });
  if ((await read()).status === 404) {
    const { email, password } = demo.users.client_admin;
    const { json } = await t.api('/user/login', { body: { email, password } });
    const offer = { providers: [demo.provider.id], respond_within_s: 600 };
    await t.api(`/orders/${order_id}/third-party/offers`, { key: json.access_token, body: offer });
  }
  const { offer_id } = (await read()).json.order;
  return { path: path!, body: { ...(body as object), offer_id } };
};

const KNOWN_HERE: Readonly<
  Record<string, (t: TestService, key: string, example: Example, demo: Demo) => Promise<Partial<Example>>>
> = {
  thirdPartyAccept: answered,
  thirdPartyDecline: answered,
  proposalApprove: proposed,
  proposalReject: proposed,
  async dispatchDecide(t, key, { path, body }) {
    const { json } = await t.api('/dispatch/items/unplanned:3', { key });
    return { path: path!, body: { ...(body as object), version: json.item?.version } };
  },
  wmsOps: (_t, _key, { body }) => {
    const { ops, ...rest } = body as { ops: object[] };
    return Promise.resolve({ body: { ...rest, ops: ops.map((op) => ({ ...op, at: new Date().toISOString() })) } });
  },
};
