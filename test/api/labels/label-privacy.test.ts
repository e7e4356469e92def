/** Label orders: what staff can settle, what customers see, and what a dry run leaves behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CUSTOMER_CODES, shownCode } from '../../../src/api/areas/labels/carrier-codes.js';
import { noRate } from '../../../src/api/areas/labels/no-rate.js';
import { createSchema } from '../../../src/api/graphql/schema.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { labelStream } from '../../../src/events/labels/events.js';
import { changedTables, readDurableState } from '../../support/checks/durable-state.js';
import { rpc } from '../../support/clients/mcp.js';
import { documentOf } from '../../support/clients/rest-and-graphql.js';
import { eventually } from '../../support/eventually.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

type Members = Readonly<Record<'carrier_errors', readonly { readonly code: string }[]>>;

describe('the privacy of label orders', () => {
  let w: LabelWorld;
  let signIn: ReturnType<typeof signIns>;
  before(async () => {
    w = await openLabelWorld();
    signIn = signIns(w.t);
  });
  after(() => w?.stop());
  beforeEach(() => w.setTerms({ rate_card_id: w.cards.USD }));

  const outside = () => ({ method_id: w.outside.method });
  const create = (user: UserName, body: object) => w.as(user, '/label-orders', body);
  const cause = (effectId: string) => ({
    correlationId: effectId,
    actor: { kind: 'system' as const, id: 'effects' },
    channel: 'system' as const,
    business: String(business),
  });
  let business: number;
  const eventsOf = async (orderId: number) => {
    const stream = labelStream(orderId);
    return (await w.t.service.engines.log.readMany([stream])).get(stream) ?? [];
  };

  /** A label order whose purchase has an unknown result, which staff must settle. */
  async function openPurchase() {
    await w.easypost.fail('buy', '500_before');
    const made = await create('employee', { ...shipmentOf(), ...outside() });
    const id = made.json.order_id as number;
    const data = Object.fromEntries((await eventsOf(id)).map((event) => [event.type, event.data]));
    const { effect_id: effectId } = data['LabelPurchaseBegun'] as { readonly effect_id: string };
    const { remote_id } = data['CarrierShipmentReserved'] as { readonly remote_id: string };
    business = (data['LabelOrderCreated'] as { readonly business: number }).business;
    await record(id, effectId, { step: 'left_open', cause: 'timeout' });
    const parcel = { package_id: '1', tracking_number: `BY-HAND-${id}` };
    const result = { remote_id, carrier: 'USPS', service: 'Ground', cost: '4.20', currency: 'USD', packages: [parcel] };
    return { id, effectId, parcel, result };
  }
  const record = (orderId: number, effectId: string, step: object) =>
    w.t.service.commands.labels(
      labelStream(orderId),
      { do: 'effect', kind: 'label_purchase', effectId, record: step as never },
      cause(effectId),
    );
  const settle = (effectId: string, effect_result: object) =>
    w.as('client_admin', `/effects/${effectId}/settle`, { happened: true, evidence: 'Invoice 31', effect_result });
  async function foreignFile(): Promise<string> {
    const response = await fetch(`${w.t.url}/api/v1/files?purpose=document`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await signIn('other_client_admin')}`,
        'content-type': 'application/octet-stream',
      },
      body: '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n',
    });
    const { file } = (await response.json()) as { readonly file: { readonly id: string } };
    return file.id;
  }
  const rowOf = async (fileId: string) =>
    (await w.t.service.engines.pool.query('select subject, place, used_at from vault.files where id = $1', [fileId]))
      .rows[0] as Record<string, unknown>;

  it('lets staff settle a purchase without a label, and only with the packages and the object of the attempt', async () => {
    const { id, effectId, parcel, result } = await openPurchase();
    const label = { file_id: await foreignFile(), format: 'pdf', media_type: 'application/pdf', bytes: 47 };
    const wrong = async (more: object) => {
      const { status, json, text } = await settle(effectId, { ...result, ...more });
      expect([status, json.code], text).to.deep.equal([400, 'INVALID_INPUT']);
      return json.errors[0].path as string;
    };
    expect(await wrong({ packages: [{ ...parcel, label }] })).to.equal('/effect_result/packages/0');
    expect(await wrong({ packages: [{ ...parcel, package_id: '2' }] })).to.equal(
      '/effect_result/packages/0/package_id',
    );
    expect(await wrong({ packages: [parcel, parcel] })).to.equal('/effect_result/packages/1/package_id');
    expect(await wrong({ packages: [] })).to.equal('/effect_result/packages');
    expect(await wrong({ remote_id: 'shp_of_another' })).to.equal('/effect_result/remote_id');
    expect(await wrong({ currency: 'dollars' })).to.equal('/effect_result/currency');
    expect((await eventsOf(id)).at(-1)!.type).to.equal('LabelPurchaseLeftOpen');
    const settled = await settle(effectId, result);
    expect(settled.status, settled.text).to.equal(200);
    const { label_order } = (await w.as('employee', `/label-orders/${id}`)).json;
    expect(label_order.packages[0]).to.include({ label_status: 'purchased', label_file: null, is_label_missing: true });
  });

  it('never keeps or returns a file of another business as a label', async () => {
    const { id, effectId, parcel, result } = await openPurchase();
    const file_id = await foreignFile();
    const before = await rowOf(file_id);
    const label = { file_id, format: 'pdf', media_type: 'application/pdf', bytes: 47 };
    // As an event of an earlier release could name it.
    const { position } = await record(id, effectId, {
      step: 'done',
      result: { ...result, packages: [{ ...parcel, label }] },
    });
    await eventually(
      () => w.t.service.progress.waitFor('label_work', position!, 100),
      'the follower has seen the event',
    );
    expect(await rowOf(file_id)).to.deep.equal(before);
    expect((await w.as('employee', `/files/${file_id}`)).status).to.equal(404);
    const content = await w.as('employee', '/label-orders/files', { order_id: id });
    expect([content.status, content.json.code], content.text).to.deep.equal([409, 'NO_LABEL']);
    expect((await w.as('other_client_admin', `/files/${file_id}`)).status, 'its owner reads it').to.equal(200);
  });

  it('shows customers codes of the service, and staff the code of the carrier', async () => {
    await w.easypost.fail('buy', 'declined');
    const refused = await create('customer', { ...shipmentOf(), ...outside() });
    expect(refused.json.result, refused.text).to.equal(false);
    const { order_id: id, label_order } = refused.json;
    expect(label_order.packages[0].failure_code).to.equal('SHIPMENT_REFUSED');
    const forStaff = (await w.as('employee', `/label-orders/${id}`)).json.label_order.packages[0].failure_code;
    expect(forStaff)
      .to.be.a('string')
      .and.not.be.oneOf([...CUSTOMER_CODES]);
    const error = { accountId: w.outside.id, code: forStaff as string, retryable: false };
    const codesOf = (isCustomer: boolean) =>
      (noRate([error, { ...error, code: 'AUTH.FAILED' }], isCustomer).members as Members)['carrier_errors'].map(
        ({ code }) => code,
      );
    expect(codesOf(true)).to.deep.equal(['SHIPMENT_REFUSED']);
    expect(codesOf(false)).to.deep.equal([forStaff, 'AUTH.FAILED']);
    expect(shownCode('CREDENTIALS_MISSING', { isCustomer: true })).to.equal('CARRIER_UNAVAILABLE');
  });

  it('does not reveal the order of hidden prices', async () => {
    type Rate = { readonly rate_id: string; readonly delivery_days: number | null; readonly method_id: number };
    const ship = async (strategy: string) => {
      const made = await w.as('customer', '/label-orders/quote-and-ship', { ...shipmentOf(), strategy });
      expect(made.status, made.text).to.equal(201);
      return made.json as { readonly considered: readonly Rate[]; readonly chosen_rate_id: string };
    };
    const visible = await ship('cheapest');
    expect(visible.considered[0]!.rate_id).to.equal(visible.chosen_rate_id);
    const byDays = (rates: readonly Rate[]) =>
      [...rates].sort(
        (one, other) => (one.delivery_days ?? 1e9) - (other.delivery_days ?? 1e9) || one.method_id - other.method_id,
      );
    const methods = (rates: readonly Rate[]) => rates.map(({ method_id }) => method_id);
    expect(methods(visible.considered), 'the prices decide').to.not.deep.equal(methods(byDays(visible.considered)));
    await w.setTerms({ rate_card_id: w.cards.USD, prices_hidden: true });
    for (const strategy of ['cheapest', 'fastest', 'best_value']) {
      const { considered } = await ship(strategy);
      expect(considered).to.have.length.above(1);
      expect(methods(considered), strategy).to.deep.equal(methods(byDays(considered)));
    }
  });

  it('asks only carriers that print the size, and buys no method that was disabled', async () => {
    const size = { label_size: 'a6', carriers: ['USPS'] };
    const none = await w.as('employee', '/label-orders/quote-and-ship', { ...shipmentOf(), ...size });
    expect([none.status, none.json.code], none.text).to.deep.equal([409, 'NO_RATE']);
    expect(none.json.carrier_errors).to.deep.include({
      carrier_account_id: w.outside.id,
      code: 'NOT_SERVED',
      retryable: false,
    });
    const printed = await w.as('employee', '/label-orders/quote-and-ship', { ...shipmentOf(), label_size: 'a6' });
    expect(printed.json.label_order?.carrier_account_id, printed.text).to.equal(w.sheet.id);
    const direct = await create('employee', { ...shipmentOf(), ...outside(), label_size: 'a6' });
    expect([direct.status, direct.json.code], direct.text).to.deep.equal([409, 'NO_RATE']);

    await w.easypost.fail('buy', 'declined');
    const { order_id: id } = (await create('employee', { ...shipmentOf(), ...outside() })).json;
    const enable = (enabled: boolean) =>
      w.as(
        'client_admin',
        `/carrier-accounts/${w.outside.id}`,
        { methods: [{ id: w.outside.method, enabled }] },
        'PATCH',
      );
    const disabled = await enable(false);
    expect(disabled.status, disabled.text).to.equal(200);
    const refused = await w.as('employee', `/label-orders/${id}/purchase`, {});
    expect([refused.status, refused.json.code], refused.text).to.deep.equal([409, 'NO_RATE']);
    await enable(true);
    const bought = await w.as('employee', `/label-orders/${id}/purchase`, {});
    expect(bought.json.result, bought.text).to.equal(true);
  });

  describe('as dry runs', () => {
    const operations = describeOperations().filter(({ canonical }) => canonical === undefined);
    const writes = operations.filter(
      ({ writes: isWrite, rest }) => isWrite && rest.path.startsWith('/v1/label-orders'),
    );
    const schema = createSchema(operations, []);
    /** Customers cannot call these. */
    const OFFICE = new Set(['labelOrdersEndDay', 'labelOrdersSubmitInformation']);
    const inputs: Record<string, object[]> = {};
    before(async () => {
      await w.setTerms({ rate_card_id: w.cards.USD });
      // A sign-in is stored, so it comes before the dry runs.
      await Promise.all([signIn('customer'), signIn('employee')]);
      const failed = async () => {
        await w.easypost.fail('buy', 'declined');
        return { order_id: (await create('customer', { ...shipmentOf(), ...outside() })).json.order_id as number };
      };
      // The label could not be downloaded, so it is missing.
      const bought = {
        order_id: (await create('customer', { ...shipmentOf(), ...outside() })).json.order_id as number,
      };
      const rates = await w.as('customer', '/labelservice/rate', {
        ...shipmentOf(),
        carrier_account_ids: [w.outside.id],
      });
      Object.assign(inputs, {
        labelOrderCreate: [
          { ...shipmentOf(), ...outside() },
          { ...shipmentOf(), rate_id: rates.json.rates[0].rate_id },
        ],
        labelOrderQuoteAndShip: [shipmentOf()],
        labelOrderPurchase: [await failed()],
        labelOrderCancel: [bought],
        labelOrdersEndDay: [{}],
        labelOrdersSubmitInformation: [{ order_ids: [bought.order_id] }],
      });
      inputs['others'] = [bought];
    });

    async function dryRun(name: string, input: object, user: UserName = 'customer'): Promise<string> {
      const operation = operations.find((one) => one.name === name)!;
      const document = { ...documentOf(schema, operation, input as never), confirm: true };
      const { body } = await rpc(
        w.t,
        'tools/call',
        { name: 'run_graphql_query', arguments: document },
        { token: await signIn(user), path: '/mcp/developer', headers: { 'x-mcp-dry-run': '1' } },
      );
      return JSON.stringify(body);
    }
    const pool = () => w.t.service.engines.pool;
    async function quiet() {
      for (let last = await readDurableState(pool()); ;) {
        await sleep(600);
        const now = await readDurableState(pool());
        if (changedTables(last, now).length === 0) return now;
        last = now;
      }
    }
    /** The labels and refunds at the carrier. Shipments that only show rates are free. */
    const sold = async () => {
      const { purchases, refunds, scan_forms, shipments } = await w.easypost.state();
      const reserved = shipments.filter(({ reference }) => reference !== null).length;
      return [purchases.length, refunds.length, scan_forms.length, reserved];
    };

    it('store nothing, and change nothing at the carrier', async () => {
      const before = [await quiet(), await sold()] as const;
      for (const { name } of writes)
        for (const input of inputs[name] ?? inputs['others']!) {
          const text = await dryRun(name, input, OFFICE.has(name) ? 'employee' : 'customer');
          if (inputs[name]) expect(text, name).to.match(/"would_append":\[\{/);
          expect(changedTables(before[0], await readDurableState(pool())), `${name} ${text}`).to.deep.equal([]);
          expect(await sold(), name).to.deep.equal(before[1]);
        }
      expect(writes.map(({ name }) => name)).to.include.members(
        Object.keys(inputs).filter((name) => name !== 'others'),
      );
    });

    it('show customers no costs, and no prices that are hidden', async () => {
      const [input] = inputs['labelOrderCreate']!;
      const seen = await dryRun('labelOrderCreate', input!);
      expect(seen).to.include('LabelOrderCreated').and.to.include('ChargesSet');
      for (const member of ['agreed_cost', 'max_cost', 'inputs']) expect(seen, member).to.not.include(member);
      expect(seen).to.include('subtotal');
      const staff = await dryRun('labelOrderCreate', input!, 'employee');
      expect(staff).to.include('agreed_cost').and.to.include('max_cost');
      await w.setTerms({ rate_card_id: w.cards.USD, prices_hidden: true });
      const hidden = await dryRun('labelOrderCreate', input!);
      expect(hidden).to.include('ChargesSet').and.to.not.include('subtotal');
    });
  });
});
