/** Import and export of orders as a table. */
import { expect } from 'chai';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const HEADER =
  'order_ref,schedule_date,delivery.name,delivery.street,delivery.city,delivery.postal_code,delivery.country,package.weight_kg,window.from,window.to';
const line = (ref: string, more: { name?: string; weight?: string; postal?: string } = {}) =>
  `${ref},2026-12-01,"${more.name ?? 'Muster, Ada'}",Kantstraße 12,Berlin,${more.postal ?? '01067'},DE,${more.weight ?? '2.5'},09:00,12:00`;

describe('orders as a table', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService({ now: () => Date.parse('2026-11-24T10:00:00Z') });
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  const send = (lines: readonly string[], more: object = {}, header = HEADER) =>
    fixture.as('employee', '/orders/import', { body: { csv: [header, ...lines].join('\r\n'), wait_s: 25, ...more } });
  const listed = async (ref: string) => (await fixture.as('employee', `/orders?order_ref=${ref}`)).json.orders;

  it('are imported line by line, without guessing cell values', async () => {
    const { status, json, text } = await send([line('T-1'), line('T-2', { weight: '' })]);
    expect(status, text).to.equal(202);
    expect(json).to.include({ result: true, lines: 2, to_create: 2, created: 2, rejected: 0 });
    const [order] = await listed('T-1');
    expect(order.delivery).to.include({ name: 'Muster, Ada', postal_code: '01067' });
    expect(order.packages[0]).to.include({ weight_kg: 2.5 });
    expect(order.time_windows).to.deep.equal([{ stop: 'delivery', from: '09:00', to: '12:00' }]);
    expect((await listed('T-2'))[0].packages[0]).to.not.have.property('weight');
    const { job } = (await fixture.as('employee', `/jobs/${json.job_id}`)).json;
    expect(job).to.deep.include({ kind: 'orders_import', status: 'succeeded', progress: 1 });
  });

  it('are recognised by their references', async () => {
    const again = await send([line('T-1'), line('T-3')]);
    expect(again.json).to.include({ known: 1, to_create: 1, created: 1 });
    expect(await listed('T-1')).to.have.length(1);
    expect((await send([line('T-1')], { known: 'create' })).json.created).to.equal(1);
  });

  it('report errors by line, and then none is created, or the others are', async () => {
    const lines = [line('W-1'), line('W-2', { weight: 'heavy' }), line('W-3')];
    const refused = await send(lines);
    expect(refused.status).to.equal(422);
    expect(refused.json).to.include({ code: 'IMPORT_REJECTED' });
    expect(refused.json.lines[0]).to.include({ line: 3, code: 'INVALID_INPUT' });
    expect(refused.json.lines[0].errors[0].path).to.equal('/packages/0/weight_kg');
    const rehearsed = await send(lines, { dry_run: true });
    expect(rehearsed.json).to.include({ result: false, to_create: 2, rejected: 1, job_id: null });
    expect(await listed('W-1')).to.deep.equal([]);
    expect((await send(lines, { on_error: 'skip' })).json).to.include({ created: 2, rejected: 1 });
    expect(await listed('W-2')).to.deep.equal([]);
  });

  it('may have other column names and another separator', async () => {
    const header = 'Referenz;Name;Strasse;Ort;Land;Farbe';
    const mapping = [
      ['Referenz', 'order_ref'],
      ['Name', 'delivery.name'],
      ['Strasse', 'delivery.street'],
      ['Ort', 'delivery.city'],
      ['Land', 'delivery.country'],
    ].map(([from, to]) => ({ from, to }));
    const unknown = await send(['M-1;Ada;Weg 1;Berlin;DE;rot'], { mapping }, header);
    expect(unknown.status).to.equal(400);
    expect(unknown.json.errors[0]).to.include({ field: 'Farbe', code: 'UNKNOWN_COLUMN' });
    expect(unknown.json.errors[0].message).to.include('delivery.street');
    const all = [...mapping, { from: 'Farbe', to: '' }];
    expect((await send(['M-1;Ada;Weg 1;Berlin;DE;rot'], { mapping: all }, header)).json.created).to.equal(1);
    expect((await send(['"open'], {}, HEADER)).status).to.equal(400);
  });

  it('are accepted for a past date only if it is allowed explicitly', async () => {
    const late = line('LATE-1').replace('2026-12-01', '2020-01-01');
    const refused = await send([late]);
    expect(refused.text).to.include('DATE_PAST');
    const taken = await send([late], { allow_past_date: true });
    expect(taken.json.created, taken.text).to.equal(1);
    expect((await listed('LATE-1'))[0].schedule_date).to.equal('2020-01-01');
  });

  it('are exported with the filters of the list, and no cell is a formula', async () => {
    await fixture.order({ order_ref: '=HYPERLINK("x")', note: '+49 30 1' });
    const { status, text } = await fixture.as('auditor', '/orders/export?order_ref=T-1');
    expect(status, text).to.equal(200);
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).to.match(/^order_id,status,tracking_numbers,created_at,order_ref,/);
    expect(lines).to.have.length(2);
    expect(lines[0]).to.contain('"Muster, Ada"').and.to.contain(',01067,');
    const all = (await fixture.as('employee', '/orders/export')).text;
    expect(all).to.contain(`"'=HYPERLINK(""x"")"`).and.to.contain(',+49 30 1');
    expect((await fixture.as('customer', '/orders/export')).status).to.equal(403);
  });

  it('can be exported and imported again without a change', async () => {
    const text = (await fixture.as('employee', '/orders/export?order_ref=T-3')).text.trim();
    const own = ['order_id', 'status', 'tracking_numbers', 'created_at'].map((from) => ({ from, to: '' }));
    const body = { csv: text.replaceAll('T-3', 'T-4'), mapping: own, wait_s: 25 };
    const { json, text: responseText } = await fixture.as('employee', '/orders/import', { body });
    expect(json.created, responseText).to.equal(1);
    const [before, after] = [(await listed('T-3'))[0], (await listed('T-4'))[0]];
    expect(after.delivery).to.deep.equal(before.delivery);
    expect(after.time_windows).to.deep.equal(before.time_windows);
  });
});
