/** Grants: the fields and objects that a grant shows, and to whom. */
import { expect } from 'chai';
import { callTool } from '../../support/clients/mcp.js';
import { event, timelineOf } from '../../support/inputs/pushes.js';
import { openAllianceWorld, type AllianceWorld } from '../../support/worlds/alliances.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';

/** Fields that only `tracking_full` shows to a partner, and fields that no grant shows. */
const FULL_ONLY = ['Petra Empfang', 'Gartenweg 7', 'proofs.example/photo'];
const NEVER = [
  '+49 170 1234567',
  'petra@example.com',
  'pays late',
  'gate code 4711',
  'a red lamp',
  'left with Bo',
  'REF-',
];

describe('grants between businesses', () => {
  let t: TestService;
  let w: AllianceWorld;
  let clock = Date.now();
  before(async () => {
    t = await startTestService({ now: () => clock });
    w = await openAllianceWorld(t);
  });
  after(() => t.stop());

  const code = (answer: { json: { code?: string } }) => answer.json.code;

  it('alliance 4: without a grant return the same response as for an unknown number', async () => {
    const { number, id } = await w.order();
    const alliance = await w.allied();
    const same = async (real: string, unknown: string, status = 404) => {
      const [a, b] = [await w.as('other_client_admin', real), await w.as('other_client_admin', unknown)];
      expect([a.status, b.status]).to.deep.equal([status, status]);
      const strip = ({ text }: { text: string }, what: string) =>
        text
          // The port may contain the digits of the id.
          .replaceAll(t.url, '')
          .replaceAll(what, '?')
          .replace(/"request_id":"[^"]*"/, '')
          .replace(/"instance":"[^"]*"/, '');
      expect(strip(a, real.split(/[/?]/).at(-2)!)).to.equal(strip(b, unknown.split(/[/?]/).at(-2)!));
    };
    const client = `business_id=${w.giver}`;
    await same(`/client/otep/trackings/${number}?${client}`, `/client/otep/trackings/XX00000000?${client}`);
    await same(`/orders/${id}?${client}`, `/orders/2000000000?${client}`);
    expect((await w.as('other_client_admin', `/orders?${client}`)).status).to.equal(404);
    expect((await w.as('other_client_admin', `/orders?business_id=2000000000`)).status).to.equal(404);
    // A grant of one kind does not apply to another kind, nor to another business.
    await w.grant(alliance, { kind: 'orders' });
    expect(code(await w.timeline(number))).to.equal('TRACKING_NOT_FOUND');
    expect(code(await w.timeline(number, 'third'))).to.equal('TRACKING_NOT_FOUND');
    expect((await w.as('third', `/orders?${client}`)).status).to.equal(404);
    // Without business_id no data of another business appears.
    expect((await w.as('other_client_admin', `/orders/${id}`)).status).to.equal(404);
    expect((await w.as('other_client_admin', `/client/otep/trackings/${number}`)).status).to.equal(404);
    // A caller's own business_id returns its own data, not the partner view.
    expect((await w.as('client_admin', `/orders/${id}?${client}`)).json.order.note).to.equal('pays late');
    for (const who of ['broker', 'driver', 'customer'] as const)
      expect((await w.as(who, `/orders/${id}?business_id=${w.taker}`)).status, who).to.equal(404);
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
  });

  it('alliance 3: of a timeline show the fields of the table: public, or with recipient, address and proof', async () => {
    const alliance = await w.allied();
    const { id, number } = await w.order();
    const provider = t.demo.strict_provider.id;
    const given = await w.as('client_admin', `/orders/${id}/third-party`, { provider });
    expect(given.status, given.text).to.be.below(300);
    const scan = event('delivered', 5, {
      description: 'left with Bo',
      proof: { kind: 'photo', url: 'https://proofs.example/photo' },
      location: { city: 'Hamburg', country: 'DE' },
    });
    const pushed = await t.push(timelineOf(number, [event('picked_up', 1), scan]), { key: t.demo.strict_provider.key });
    expect(pushed.json, pushed.text).to.include({ accepted: 2 });
    const headers = positionOf(pushed);
    const owner = (await w.as('client_admin', `/client/otep/trackings/${number}`, undefined, { headers })).text;
    expect(owner).to.include('left with Bo').and.include('proofs.example');

    const grant = await w.grant(alliance, { kind: 'tracking' });
    const basic = await w.timeline(number);
    expect(basic.json).to.deep.include({ delivered: true, via_alliance: { alliance_id: alliance, grant_id: grant } });
    const wrong = `/client/otep/trackings/${number}?business_id=${w.third}`;
    expect((await w.as('other_client_admin', wrong)).status, 'a number of another business').to.equal(404);
    const anybody = await t.read(number);
    expect(basic.json.events).to.deep.equal(anybody.json.events);
    for (const secret of [...FULL_ONLY, ...NEVER, 'order_id']) expect(basic.text).to.not.include(secret);

    await w.grant(alliance, { kind: 'tracking_full' });
    const full = await w.timeline(number);
    for (const shown of FULL_ONLY) expect(full.text).to.include(shown);
    for (const secret of [...NEVER, 'order_id']) expect(full.text).to.not.include(secret);
    expect(Object.keys(full.json.recipient)).to.have.members(['name', 'street', 'city', 'postal_code', 'country']);
    // An agent gets the same data.
    const { structuredContent } = await callTool(
      t,
      'otep_client_tracking',
      { tracking_number: number, business_id: w.giver },
      { token: await w.keyOf('other_client_admin') },
    );
    expect(structuredContent).to.deep.equal(full.json);
    // An erased person is also erased for the partner.
    const erased = await w.as('client_admin', `/privacy/subjects/order-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const after = await w.timeline(number);
    for (const shown of FULL_ONLY) expect(after.text).to.not.include(shown);
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
  });

  it('alliance 3: of an order show the goods, and no persons', async () => {
    const alliance = await w.allied();
    const { id, number } = await w.order({ time_windows: [{ stop: 'delivery', from: '08:00', to: '10:00' }] });
    const grant = await w.grant(alliance, { kind: 'orders' });
    const one = await w.as('other_client_admin', `/orders/${id}?business_id=${w.giver}`);
    expect(one.json.order).to.deep.include({
      id,
      delivery: { city: 'Hamburg', postal_code: '20095', country: 'DE' },
      packages: [{ tracking_number: number, weight_kg: 2 }],
      time_windows: [{ stop: 'delivery', from: '08:00', to: '10:00' }],
      on_route: false,
      via_alliance: { alliance_id: alliance, grant_id: grant },
    });
    for (const member of [
      'order_ref',
      'customer_id',
      'note',
      'delivery_instruction',
      'route_id',
      'broker_id',
      'third_party',
      'created_by',
    ])
      expect(one.json.order[member], member).to.equal(null);
    const list = await w.as('other_client_admin', `/orders?business_id=${w.giver}&per_page=200`);
    expect(list.json.orders.find((order: { id: number }) => order.id === id)).to.deep.equal(one.json.order);
    for (const secret of [...FULL_ONLY, ...NEVER]) expect(list.text + one.text).to.not.include(secret);
    const beyond = (await w.as('other_client_admin', `/orders?business_id=${w.giver}&page=1000`)).json;
    expect([beyond.total, beyond.orders]).to.deep.equal([list.json.total, []]);
    // A hidden field cannot be used as a filter.
    for (const query of ['order_ref=REF-1', 'customer_id=1', 'route_id=1'])
      expect((await w.as('other_client_admin', `/orders?business_id=${w.giver}&${query}`)).status, query).to.equal(400);
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
  });

  it('show only objects that match the filter in their current state', async () => {
    const alliance = await w.allied();
    const customer = t.demo.users.customer.id;
    const inside = await w.order({ customer_id: customer });
    const outside = await w.order();
    const address = { name: 'A', street: 'B 1', city: 'Bonn', postal_code: '53111', country: 'DE' };
    const bonn = await w.order({ delivery: address });
    const visible = async () => {
      const { json } = await w.as('other_client_admin', `/orders?business_id=${w.giver}&per_page=200`);
      const ids = new Set<number>(json.orders.map((order: { id: number }) => order.id));
      return [inside, outside, bonn].map(({ id }) => ids.has(id));
    };
    for (const [filter, seen] of [
      [{ customer_ids: [customer] }, [true, false, false]],
      [{ postal_prefixes: ['53', '54'] }, [false, false, true]],
      [{ order_types: ['P'] }, [false, false, false]],
      [{ customer_ids: [customer], postal_prefixes: ['53'] }, [false, false, false]],
      [{ order_types: ['D'], postal_prefixes: ['2'] }, [true, true, false]],
    ] as const) {
      const grants = [
        await w.grant(alliance, { kind: 'orders', filter }),
        await w.grant(alliance, { kind: 'tracking', filter }),
      ];
      expect(await visible(), JSON.stringify(filter)).to.deep.equal(seen);
      const statuses = await Promise.all(
        [inside, outside, bonn].map(async ({ number }) => (await w.timeline(number)).status),
      );
      expect(statuses.map((status) => status === 200)).to.deep.equal(seen);
      for (const grant of grants) await w.revoke(alliance, grant);
    }
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
  });

  it('expire automatically', async () => {
    const alliance = await w.allied();
    const { number } = await w.order();
    const until = new Date(clock + 60_000).toISOString();
    await w.grant(alliance, { kind: 'tracking', expires_at: until });
    expect((await w.timeline(number)).status).to.equal(200);
    clock += 60_000;
    expect((await w.timeline(number)).status).to.equal(404);
    expect((await w.as('other_client_admin', '/alliances/accessible-clients')).json.clients).to.deep.equal([]);
    const { grants } = (await w.as('client_admin', `/alliances/${alliance}/grants`)).json;
    expect(grants[0]).to.deep.include({ status: 'ended', expires_at: until, ended_at: until });
    const late = await w.as('client_admin', `/alliances/${alliance}/grants`, { kind: 'tracking', expires_at: until });
    expect(late.status).to.equal(400);
  });

  it('to every member apply to current members, and are shown to no other business', async () => {
    const alliance = await w.allied();
    const { number } = await w.order();
    const grant = await w.grant(alliance, { kind: 'tracking', to_business_id: undefined });
    expect((await w.timeline(number)).status).to.equal(200);
    await w.as('client_admin', `/alliances/${alliance}/invitations`, { business_code: 'third' });
    expect((await w.timeline(number, 'third')).status, 'invited').to.equal(404);
    expect((await w.as('third', `/alliances/${alliance}/grants`)).json.total, 'invited').to.equal(0);
    await w.as('third', `/alliances/${alliance}/invitations/answer`, { accept: true });
    expect((await w.timeline(number, 'third')).status, 'joined').to.equal(200);
    await w.as('third', `/alliances/${alliance}/leave`, {});
    expect((await w.timeline(number, 'third')).status, 'left').to.equal(404);
    await w.revoke(alliance, grant);
    // A taker sees only its own grants.
    await w.as('client_admin', `/alliances/${alliance}/invitations`, { business_code: 'third' });
    await w.as('third', `/alliances/${alliance}/invitations/answer`, { accept: true });
    await w.grant(alliance, { kind: 'tracking_full' });
    const seen = (await w.as('third', `/alliances/${alliance}`)).json.alliance;
    expect([seen.grants, seen.other_grant_count]).to.deep.equal([[], 1]);
    // A taker cannot pass on a grant: its own grants cover only its own data.
    const body = { kind: 'tracking_full', to_business_id: w.third };
    await w.as('other_client_admin', `/alliances/${alliance}/grants`, body);
    expect((await w.timeline(number, 'third')).status).to.equal(404);
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
  });

  it('alliance R7: report also an empty list to their giver', async () => {
    const alliance = await w.allied();
    const filter = { postal_prefixes: ['00000'] };
    const grants = [await w.grant(alliance, { kind: 'orders', filter }), await w.grant(alliance, { kind: 'network' })];
    for (const path of ['/orders?', '/pois?category=none&'])
      expect((await w.as('other_client_admin', `${path}business_id=${w.giver}`)).json.total, path).to.equal(0);
    expect((await w.as('other_client_admin', `/orders/2000000000?business_id=${w.giver}`)).status).to.equal(404);
    const { uses } = (await w.as('auditor', `/alliances/${alliance}/uses`)).json;
    expect(
      uses.map(({ grant_id, operation, subject }: Record<string, unknown>) => [grant_id, operation, subject]),
    ).to.have.deep.members([
      [grants[0], 'orders', ''],
      [grants[1], 'pois', ''],
    ]);
  });

  it('report each use to their giver only, also after they ended', async () => {
    const alliance = await w.allied();
    const { id, number } = await w.order();
    const grants = [await w.grant(alliance, { kind: 'tracking' }), await w.grant(alliance, { kind: 'orders' })];
    for (let times = 0; times < 3; times++) await w.timeline(number);
    await w.as('other_client_admin', `/orders/${id}?business_id=${w.giver}`);
    await w.timeline(number, 'third');
    const { uses } = (await w.as('auditor', `/alliances/${alliance}/uses`)).json;
    const by = { business_id: w.taker, user_id: t.demo.users.other_client_admin.id };
    const used_at = `${new Date(clock).toISOString().slice(0, 17)}00.000Z`;
    expect(uses).to.have.deep.members([
      { ...by, grant_id: grants[0], operation: 'tracking', subject: number, used_at },
      { ...by, grant_id: grants[1], operation: 'orders', subject: String(id), used_at },
    ]);
    expect((await w.as('other_client_admin', `/alliances/${alliance}/uses`)).json.uses).to.deep.equal([]);
    await w.as('client_admin', `/alliances/${alliance}/dissolve`, {});
    expect((await w.as('client_admin', `/alliances/${alliance}/uses`)).json.total).to.equal(2);
  });
});
