/** Acceptance of label orders: credentials that were swapped in the database, and purchases at the same time. */
import { expect } from 'chai';
import { LABEL_PURCHASE } from '../../../src/events/labels/effects.js';
import { labelStream } from '../../../src/events/labels/events.js';
import { EASYPOST_KEY } from '../../support/easypost/start-easypost.js';
import { openLabelWorld, shipmentOf, type LabelWorld } from '../../support/labels/world.js';

describe('acceptance of label orders', () => {
  let w: LabelWorld;
  before(async () => {
    w = await openLabelWorld();
  });
  after(() => w?.stop());

  const orderOf = async (id: number) => (await w.as('employee', `/label-orders/${id}`)).json.label_order;
  const begunOf = async (id: number): Promise<number> => {
    let count = 0;
    for await (const { type } of w.t.service.engines.log.read(labelStream(id)))
      if (type === LABEL_PURCHASE.begun.type) count += 1;
    return count;
  };
  const outside = () => ({ ...shipmentOf(), method_id: w.outside.method });

  it('labels 2: two purchases at the same time are one attempt, and one of them gets 409', async () => {
    await w.easypost.fail('buy', 'declined');
    const made = await w.as('employee', '/label-orders', outside());
    expect([made.status, made.json.result], made.text).to.deep.equal([201, false]);
    const { order_id: id } = made.json as { readonly order_id: number };
    const [begun, before] = [await begunOf(id), await w.easypost.state()];
    expect(begun).to.equal(1);
    const answers = await Promise.all([1, 2].map(() => w.as('employee', `/label-orders/${id}/purchase`, {})));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.json.code).to.be.oneOf(['PURCHASE_IN_PROGRESS', 'LABEL_EXISTS']);
    expect(await orderOf(id)).to.include({ status: 'LABEL_PURCHASED' });
    expect(await begunOf(id)).to.equal(begun + 1);
    const after = await w.easypost.state();
    expect(after.purchases.length).to.equal(before.purchases.length + 1);
    expect(after.shipments.filter(({ reference }) => reference !== null).length).to.equal(
      before.shipments.filter(({ reference }) => reference !== null).length + 1,
    );
  });

  it('labels 6: with swapped credentials of two businesses, nothing is bought and nothing is sent', async () => {
    const { pool } = w.t.service.engines;
    const body = { adapter: 'easypost', name: 'Other', settings: { carriers: ['usps'] } };
    const credentials = { api_key: EASYPOST_KEY };
    const other = await w.as('other_client_admin', '/carrier-accounts', { ...body, credentials });
    expect(other.status, other.text).to.equal(201);
    const swap = async () => {
      const { rows } = await pool.query<{ id: string; business: number; sealed: Buffer }>(
        'select id, business, sealed from access.credentials where replaced_at is null order by business',
      );
      expect(new Set(rows.map(({ business }) => business)).size).to.equal(2);
      const [one, two] = [rows[0]!, rows.at(-1)!];
      for (const [{ id }, { sealed }] of [
        [one, two],
        [two, one],
      ] as const)
        await pool.query('update access.credentials set sealed = $2 where id = $1', [id, sealed]);
    };
    // The rate is agreed while the credentials are readable.
    const rated = await w.as('employee', '/labelservice/rate', {
      ...shipmentOf(),
      carrier_account_ids: [w.outside.id],
    });
    const { rate_id } = rated.json.rates[0] as { readonly rate_id: string };
    const before = await w.easypost.state();
    await swap();
    const made = await w.as('employee', '/label-orders', { ...shipmentOf(), rate_id });
    expect([made.status, made.json.result], made.text).to.deep.equal([201, false]);
    expect(made.json.label_order.status).to.equal('LABEL_PURCHASE_FAILED');
    expect(made.json.label_order.packages[0]).to.include({
      label_status: 'failed',
      failure_code: 'CREDENTIALS_MISSING',
      tracking_number: null,
    });
    const unrated = await w.as('employee', '/labelservice/rate', {
      ...shipmentOf(),
      carrier_account_ids: [w.outside.id],
    });
    expect([unrated.json.result, unrated.json.errors[0].code]).to.deep.equal([false, 'CREDENTIALS_MISSING']);
    expect(await w.easypost.state()).to.deep.equal(before);
    await swap();
    const { order_id: id } = made.json as { readonly order_id: number };
    const again = await w.as('employee', `/label-orders/${id}/purchase`, {});
    expect([again.status, again.json.label_order?.status], again.text).to.deep.equal([200, 'LABEL_PURCHASED']);
    expect((await w.easypost.state()).purchases.length).to.equal(before.purchases.length + 1);
  });
});
