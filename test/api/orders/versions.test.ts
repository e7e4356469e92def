/**
 * Changes of an order that require the version that was read, over REST, GraphQL and MCP (docs/api-style.md, rule 24).
 */
import { expect } from 'chai';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('versions of orders', () => {
  let service: TestService;
  let fixture: OrderFixture;
  let token: string;
  before(async () => {
    service = await startTestService();
    fixture = openOrderFixture(service);
    token = await signIns(service)('client_admin');
  });
  after(() => service.stop());

  const newOrder = async (): Promise<number> => {
    const made = await fixture.order();
    return made.order_id ?? made.order.id;
  };
  const read = async (id: number) => {
    const { json, headers } = await fixture.as('client_admin', `/orders/${id}`);
    expect(headers.get('etag')).to.equal(`"${json.order.version}"`);
    return json.order as { version: number; note: string | null; status: string };
  };
  const change = (id: number, note: string, tag?: string) =>
    fixture.as('client_admin', `/orders/${id}`, {
      method: 'PATCH',
      body: { note },
      ...(tag !== undefined && { headers: { 'if-match': tag } }),
    });

  it('increase with each change, and a change of another version is rejected', async () => {
    const id = await newOrder();
    const { version } = await read(id);
    const changed = await change(id, 'first', `"${version}"`);
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.json.order.version).to.equal(version + 1);
    const late = await change(id, 'second', `"${version}"`);
    expect([late.status, late.json.code], late.text).to.deep.equal([412, 'ORDER_VERSION_CHANGED']);
    expect(late.json.message).to.contain(String(version + 1));
    expect(await read(id)).to.deep.include({ note: 'first', version: version + 1 });
    for (const tag of [`"${version + 1}"`, '*', undefined])
      expect((await change(id, `by ${tag}`, tag)).status, tag).to.equal(200);
    expect((await change(id, 'x', 'seventeen')).json.errors[0].field).to.equal('if-match');
  });

  it('let one of two simultaneous changes succeed', async () => {
    const id = await newOrder();
    const { version } = await read(id);
    const statuses = await Promise.all(
      ['one', 'two', 'three'].map(async (note) => (await change(id, note, `"${version}"`)).status),
    );
    expect(statuses.sort()).to.deep.equal([200, 412, 412]);
  });

  it('apply to actions, too', async () => {
    const id = await newOrder();
    const { version } = await read(id);
    const act = async (verb: string, tag: number) =>
      fixture.as('client_admin', `/orders/${id}/${verb}`, {
        method: 'POST',
        body: {},
        headers: { 'if-match': `"${tag}"` },
      });
    expect((await act('hold', version + 5)).status).to.equal(412);
    expect((await act('hold', version)).status).to.equal(200);
    expect((await act('release', version)).status).to.equal(412);
    expect((await read(id)).status).to.equal('HOLD');
  });

  it('are the same over GraphQL and MCP, and in a dry run', async () => {
    const id = await newOrder();
    const { version } = await read(id);
    const over = async (ifVersion: number) =>
      graphql(
        service.url,
        `mutation { orderUpdate(orderId: ${id}, note: "g", ifVersion: ${ifVersion}) { order { version } } }`,
        { key: token },
      );
    expect(JSON.stringify(await over(version + 1))).to.contain('ORDER_VERSION_CHANGED');
    const { data } = await over(version);
    expect(data.orderUpdate.order.version).to.equal(version + 1);
    const hold = async (args: object) => {
      const { structuredContent } = await callTool(service, 'hold_order', { order_id: id, ...args }, { token });
      return structuredContent as { error?: { code: string } };
    };
    for (const more of [{ dry_run: true }, { confirm: true }])
      expect((await hold({ if_version: version, ...more })).error?.code).to.equal('ORDER_VERSION_CHANGED');
    expect(await hold({ if_version: version + 1, confirm: true })).not.to.have.property('error');
  });

  it('count once for a retry with the same key', async () => {
    const id = await newOrder();
    const { version } = await read(id);
    const once = () =>
      fixture.as('client_admin', `/orders/${id}`, {
        method: 'PATCH',
        body: { note: 'kept' },
        headers: { 'if-match': `"${version}"`, 'idempotency-key': `retry-${id}` },
      });
    expect([(await once()).status, (await once()).status]).to.deep.equal([200, 200]);
    expect((await read(id)).version).to.equal(version + 1);
  });
});
