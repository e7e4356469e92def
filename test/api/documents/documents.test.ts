/** Every PDF of the service is identified by its fingerprint, which remains after its subject is erased. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { ORDER_TOOLS } from '../../../src/api/mcp/tools/orders.js';
import { AREA_TOOLS } from '../../../src/areas/index.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { LogUnavailable, type StoredEvent } from '../../../src/events/core/log.js';
import { documentStream, linkStream } from '../../../src/events/documents/events.js';
import { ACCESS } from '../../support/access/table.js';
import { openWorld, type World } from '../../support/access/world.js';
import { eventsOf, decryptableText } from '../../support/checks/leaks.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { overGraphQL, overRest } from '../../support/clients/rest-and-graphql.js';
import { callTool } from '../../support/clients/mcp.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';

const PDF = 'application/pdf';
const hashOf = (base64: unknown): string =>
  createHash('sha256')
    .update(Buffer.from(String(base64), 'base64'))
    .digest('hex');
const eventsIn = async ({ service: { engines } }: TestService, stream: string): Promise<readonly StoredEvent[]> =>
  (await engines.log.readMany([stream])).get(stream) ?? [];

/** The document in a response: at its top, or inside the resource. */
const documentIn = (body: Record<string, unknown>): Record<string, unknown> =>
  (Object.values(body) as Record<string, unknown>[]).find(isDocument) ?? body;
const isDocument = (part: Record<string, unknown> | null): boolean =>
  typeof part === 'object' && part !== null && ('pdf_base64' in part || 'pdfBase64' in part);

describe('every PDF operation', () => {
  const operations = describeOperations().filter(({ canonical }) => canonical === undefined);
  const printing = operations.filter(({ output }) =>
    JSON.stringify(z.toJSONSchema(output, { unrepresentable: 'any' })).includes(PDF),
  );
  let world: World;
  before(async () => void (world = await openWorld()));
  after(() => world?.stop());

  it('is found by its definition', () =>
    expect(printing.map(({ name }) => name)).to.include.members(['orderLabel', 'routeLabels']));

  for (const operation of printing)
    it(`${operation.name} returns the document in the log, over REST, GraphQL and MCP`, async () => {
      const { own, roles } = ACCESS[operation.name]!;
      for (const role of roles) {
        const [key, input] = [await world.keyOf(role), await own(world, role)];
        const { url } = world.test;
        const rest = (await overRest(url, operation, input, key)).body as Record<string, unknown>;
        expect(documentIn(rest)['media_type'], JSON.stringify(rest)).to.equal(PDF);
        const sha256 = hashOf(documentIn(rest)['pdf_base64']);
        const [issued] = await eventsIn(world.test, documentStream(sha256));
        expect(issued?.data, operation.name).to.include({ sha256, business: world.businessId });
        const graphqlResponse = await overGraphQL(url, createSchema(operations, []), operation, input, key);
        expect(
          hashOf(documentIn(graphqlResponse.body as Record<string, unknown>)['pdfBase64']),
          'over GraphQL',
        ).to.equal(sha256);
        const file = await fetchFile(operation.rest.path, input, key!);
        expect(createHash('sha256').update(file.bytes).digest('hex'), 'the file').to.equal(sha256);
        expect(file.etag).to.equal(`"${sha256}"`);
        for (const { name } of [...ORDER_TOOLS, ...AREA_TOOLS.operations].filter(
          (tool) => tool.operation === operation.name,
        )) {
          const { structuredContent } = await callTool(world.test, name, input, { token: key });
          expect(hashOf(documentIn(structuredContent)['pdf_base64']), `over MCP by ${name}`).to.equal(sha256);
        }
        expect(await eventsIn(world.test, documentStream(sha256)), 'once').to.have.length(1);
      }
    });

  async function fetchFile(path: string, input: Record<string, unknown>, key: string) {
    const filled = path.replace(/:(\w+)/g, (_all, name: string) => String(input[name]));
    const response = await fetch(`${world.test.url}/api${filled}`, {
      headers: { accept: PDF, authorization: `Bearer ${key}` },
    });
    expect(response.headers.get('content-type')).to.equal(PDF);
    return { bytes: Buffer.from(await response.arrayBuffer()), etag: response.headers.get('etag') };
  }
});

describe('issued documents', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  const labelOf = async (order_id: number, at = fixture): Promise<string> => {
    const { status, json, text } = await at.as('employee', `/orders/${order_id}/label`);
    expect(status, text).to.equal(200);
    return json.order_label.pdf_base64 as string;
  };

  it('are the same bytes in another process, after a restart and after a rebuild', async () => {
    const { order_id } = await fixture.order();
    const before = await labelOf(order_id);
    await expectSameReplay(t, ['orders']);
    const other = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
    try {
      const there = openOrderFixture({ ...other, demo: t.demo });
      expect(await labelOf(order_id, there)).to.equal(before);
    } finally {
      await other.stop();
    }
    const [issued, ...more] = await eventsIn(t, documentStream(hashOf(before)));
    expect([issued!.type, more.length]).to.deep.equal(['DocumentIssued', 0]);
  });

  it('are issued once by several processes that print at once', async () => {
    const other = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
    try {
      const fixtures = [fixture, openOrderFixture({ ...other, demo: t.demo })];
      const orders: number[] = [];
      for (let index = 0; index < 5; index++) orders.push((await fixture.order({ order_ref: `R${index}` })).order_id);
      const files = await Promise.all(
        orders.flatMap((id) => [...fixtures, ...fixtures, ...fixtures].map((one) => labelOf(id, one))),
      );
      expect(new Set(files).size, 'as many files as orders').to.equal(orders.length);
      for (const file of new Set(files)) {
        expect(await eventsIn(t, documentStream(hashOf(file)))).to.have.length(1);
        expect(await eventsIn(t, linkStream(hashOf(file)))).to.have.length(1);
      }
    } finally {
      await other.stop();
    }
  });

  it('differ only if their content has changed', async () => {
    const { order_id } = await fixture.order();
    const first = await labelOf(order_id);
    const change = async (body: object) =>
      expect((await fixture.as('employee', `/orders/${order_id}`, { method: 'PATCH', body })).status).to.equal(200);
    await change({ note: 'for the office alone' });
    expect(await labelOf(order_id), 'what is not printed').to.equal(first);
    await change({ delivery_instruction: 'Ring twice' });
    expect(await labelOf(order_id)).to.not.equal(first);
  });

  it('are printed only by readers, and do not name them', async () => {
    const { order_id } = await fixture.order();
    const made = await fixture.as('employee', '/api-keys', { body: { name: 'reader', scopes: ['orders:read'] } });
    const { status, json } = await t.api(`/orders/${order_id}/label`, { key: made.json.secret });
    expect(status).to.equal(200);
    const [{ data, metadata }] = (await eventsIn(t, documentStream(hashOf(json.order_label.pdf_base64)))) as [
      StoredEvent,
    ];
    expect(metadata['actor']).to.deep.equal({ kind: 'system', id: 'documents', channel: 'system' });
    expect(Object.keys(data).sort().join()).to.equal('business,bytes,kind,made_by,number,pages,sha256');
    const [link] = await eventsIn(t, linkStream(hashOf(json.order_label.pdf_base64)));
    expect(link!.data['requested_by']).to.equal(t.demo.users.employee.id);
  });

  it('are not returned while the log is unavailable: 503, and again afterwards', async () => {
    const [fresh, known] = [(await fixture.order()).order_id, (await fixture.order()).order_id];
    const printed = await labelOf(known);
    const { log } = t.service.engines;
    const { append } = log;
    log.append = () => Promise.reject(new LogUnavailable('away'));
    try {
      const answer = await fixture.as('employee', `/orders/${fresh}/label`, { headers: { accept: PDF } });
      expect([answer.status, answer.json?.code]).to.deep.equal([503, 'UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).to.equal('1');
      expect(await labelOf(known), 'a reprint needs no append').to.equal(printed);
    } finally {
      log.append = append;
    }
    const calls: string[][] = [];
    log.append = (appends) => {
      calls.push(appends.map(({ stream }) => stream));
      return append(appends);
    };
    const sha256 = hashOf(await labelOf(fresh).finally(() => (log.append = append)));
    expect(calls.flat().filter((stream) => stream === documentStream(sha256))).to.have.length(1);
    expect(
      calls.find((streams) => streams.includes(documentStream(sha256))),
      'both at once',
    ).to.include(linkStream(sha256));
  });

  it('are in the audit of their business, and in no other’s', async () => {
    const sha256 = hashOf(await labelOf((await fixture.order()).order_id));
    const headers = { 'x-event-position': await t.service.engines.log.head() };
    for (const stream of [documentStream(sha256), linkStream(sha256)]) {
      const path = `/audit/streams/${stream}/events`;
      const seen = await fixture.as('auditor', path, { headers });
      expect(seen.json.events?.[0].data, seen.text).to.include({ sha256 });
      expect(seen.text).to.not.contain('"subject":"order-');
      expect((await fixture.as('other_client_admin', path, { headers })).status).to.equal(404);
    }
  });

  it('survive an erasure: the fingerprint stays, the content is gone', async () => {
    const people = ['Grace Hopper', 'Ada Lovelace'];
    const orders: number[] = [];
    for (const name of people) orders.push((await fixture.order({ delivery: { ...STOP, name } })).order_id);
    const [erased, kept] = orders as [number, number];
    const route = await fixture.as('employee', '/routes', { body: { name: 'Labels', schedule_date: '2046-01-01' } });
    const { id: route_id } = route.json.route;
    await fixture.as('employee', `/routes/${route_id}/orders`, { body: { order_ids: orders } });
    const ofRoute = async () => (await fixture.as('employee', `/routes/${route_id}/labels`)).json.pdf_base64 as string;
    const before = [await labelOf(erased), await labelOf(kept), await ofRoute()];
    const opened = async (order: number) =>
      (await decryptableText(t.service))
        .split('\n')
        .filter((line) => line.includes('"requested_by"') && line.includes(`"subject":"order-${order}"`));
    expect(await opened(erased), 'its label, and that of the route').to.have.length(2);

    const answer = await fixture.as('client_admin', `/privacy/subjects/order-${erased}/erase`, { body: {} });
    expect(answer.status, answer.text).to.equal(200);
    expect(await opened(erased)).to.deep.equal([]);
    expect(await opened(kept)).to.have.length(2);
    for (const file of before) expect(await eventsIn(t, documentStream(hashOf(file)))).to.have.length(1);

    // A new print is another document, without the person, and has no link to the order any more.
    const after = [await labelOf(erased), await ofRoute()];
    for (const [index, file] of after.entries()) {
      expect(before).to.not.include(file);
      const text = (await picturesOf(Buffer.from(file, 'base64'), 72)).map((page) => page.text).join();
      expect(text).to.not.contain('GraceHopper');
      if (index === 1) expect(text).to.contain('AdaLovelace');
    }
    expect(await opened(erased)).to.deep.equal([]);
    const known = (await eventsOf(t.service)).filter(({ type }) => type === 'DocumentIssued');
    expect(known.map(({ data }) => data['sha256'])).to.include.members([...before, ...after].map(hashOf));
  });
});
