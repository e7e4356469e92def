/** Labels: letters of many scripts, the sender, the PDF itself, and all labels of a route at once. */
import { expect } from 'chai';
import { picturesOf } from '../../support/validators/pdf-pictures.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const PEOPLE: Readonly<Record<string, { name: string; street: string; city: string; country: string }>> = {
  Polish: { name: 'Łukasz Żółć', street: 'ulica Świętokrzyska 5', city: 'Łódź', country: 'PL' },
  Czech: { name: 'Jiří Dvořák', street: 'Růžová 9', city: 'Plzeň', country: 'CZ' },
  Icelandic: { name: 'Þórður Æðarson', street: 'Laugavegur 3', city: 'Reykjavík', country: 'IS' },
  Turkish: { name: 'Işıl Yağmur', street: 'İstiklal Caddesi 7', city: 'İzmir', country: 'TR' },
  Romanian: { name: 'Ștefan Țăran', street: 'Strada Înfrățirii 2', city: 'Brașov', country: 'RO' },
  Vietnamese: { name: 'Nguyễn Thị Ngọc Ánh', street: '12 Đường Trần Hưng Đạo', city: 'Hà Nội', country: 'VN' },
  Greek: { name: 'Ελένη Παπαδοπούλου', street: 'Οδός Ερμού 15', city: 'Αθήνα', country: 'GR' },
  Russian: { name: 'Алексей Щёкин', street: 'Невский проспект 20', city: 'Санкт-Петербург', country: 'RU' },
  Ukrainian: { name: 'Ґалина Їжакевич', street: 'вулиця Хрещатик 1', city: 'Київ', country: 'UA' },
  Hindi: { name: 'प्रिया शर्मा', street: 'महात्मा गांधी मार्ग १२', city: 'मुंबई', country: 'IN' },
  'Simplified Chinese': { name: '王小明', street: '长安街100号', city: '北京市', country: 'CN' },
  'Traditional Chinese': { name: '陳怡君', street: '忠孝東路四段218號', city: '臺北市', country: 'TW' },
  Japanese: { name: '髙橋 さくら', street: '渋谷区神南一丁目19番11号', city: '東京都', country: 'JP' },
  Korean: { name: '김민준', street: '세종대로 110', city: '서울특별시', country: 'KR' },
};

describe('labels', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  const label = (order_id: number, headers: Record<string, string> = {}, query = '') =>
    fixture.as('employee', `/orders/${order_id}/label${query}`, { headers });
  /** Names of the fonts that are embedded in the document. */
  const fontsIn = ({ json }: { json: { order_label: { pdf_base64: string } } }): string =>
    [
      ...Buffer.from(json.order_label.pdf_base64, 'base64')
        .toString('latin1')
        .matchAll(/\/FontName \/([\w+-]+)/g),
    ]
      .map(([, name]) => name)
      .join();

  for (const [language, delivery] of Object.entries(PEOPLE))
    it(`print ${language}`, async () => {
      const { order_id } = await fixture.order({ delivery });
      const answer = await label(order_id);
      expect(answer.status, answer.text).to.equal(200);
      expect(fontsIn(answer)).to.include('NotoSans');
      expect(answer.json.order_label.pdf_base64.length, 'no font stands in it whole').to.be.below(90_000);
    });

  it('use the letter shapes of the country', async () => {
    const fontFor = async (country: string) => {
      const { order_id } = await fixture.order({ delivery: { name: '直骨', street: '直 1', city: '骨', country } });
      return fontsIn(await label(order_id));
    };
    expect(await fontFor('JP')).to.include('NotoSansJP');
    expect(await fontFor('TW')).to.include('NotoSansTC');
    expect(await fontFor('KR')).to.include('NotoSansKR');
    expect(await fontFor('CN')).to.include('NotoSansSC');
  });

  it('report unprintable letters instead of printing a question mark', async () => {
    const { order_id } = await fixture.order({ delivery: { ...STOP, name: 'أحمد Ada' } });
    const { status, json } = await label(order_id, { 'accept-language': 'de' });
    expect([status, json.code]).to.deep.equal([422, 'NO_FONT']);
    expect(json.message).to.match(/nicht drucken.*أ ح م د/);
    const happy = await fixture.order({ delivery: { ...STOP, name: 'Ada 🚚👨‍👩‍👧 Lovelace' } });
    expect((await label(happy.order_id)).status, 'pictures are left out').to.equal(200);
  });

  it('are the document itself if the client accepts PDF', async () => {
    const { order_id } = await fixture.order();
    for (const [accept, query, type] of [
      ['application/pdf', '', 'application/pdf'],
      ['application/pdf, application/json;q=0.5', '', 'application/pdf'],
      ['*/*', '', 'application/json; charset=utf-8'],
      ['application/json', '?format=pdf', 'application/pdf'],
      ['application/pdf', '?format=base64', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await label(order_id, { accept }, query);
      expect(answer.headers.get('content-type'), accept + query).to.equal(type);
      if (type === 'application/pdf') expect(answer.text).to.match(/^%PDF/);
    }
  });

  it('print the sender address of the business', async () => {
    const sender = { company: 'Kraków Łączność Sp. z o.o.', street: 'Rynek 1', city: 'Kraków', country: 'PL' };
    const { order_id } = await fixture.order();
    const before = (await label(order_id)).json.order_label.pdf_base64.length;
    const set = await fixture.as('client_admin', '/order-settings', { method: 'PATCH', body: { sender } });
    expect(set.json.order_settings).to.deep.include({ unique_order_ref: false, sender });
    expect((await fixture.as('employee', '/order-settings')).json.order_settings.sender).to.deep.equal(sender);
    expect((await label(order_id)).json.order_label.pdf_base64.length).to.be.above(before);
    const gone = await fixture.as('client_admin', '/order-settings', { method: 'PATCH', body: { sender: null } });
    expect(gone.json.order_settings.sender).to.equal(null);
    await expectSameReplay(t, ['businesses']);
  });

  describe('print destination and origin of a parcel', () => {
    const sender = { company: 'Returns Ltd', street: 'Back Lane 9', city: 'Bremen', country: 'DE' };
    const set = (address: object | null) =>
      fixture.as('client_admin', '/order-settings', { method: 'PATCH', body: { sender: address } });
    const printed = async (order_id: number): Promise<{ from: string; to: string }> => {
      const { json } = await label(order_id);
      const [page] = await picturesOf(Buffer.from(json.order_label.pdf_base64, 'base64'));
      const [, from = '', to = ''] = /FROM(.*)TO(.*)/.exec(page!.text) ?? [];
      return { from, to };
    };
    let warehouse_id: number;
    before(async () => {
      const address = { street: 'Hafenstraße 7', city: 'Hamburg', postal_code: '20457', country: 'DE' };
      const opened = await fixture.as('client_admin', '/wms/warehouses', {
        body: { code: 'LBL', name: 'Hub North', address, timezone: 'Europe/Berlin' },
      });
      expect(opened.status, opened.text).to.equal(201);
      warehouse_id = opened.json.warehouse.id;
    });
    afterEach(() => set(null));

    it('to its warehouse for a collection, regardless of the address of the business', async () => {
      const { order_id } = await fixture.order({ type: 'P', pickup: STOP, delivery: undefined, warehouse_id });
      for (const address of [null, sender]) {
        await set(address);
        const { from, to } = await printed(order_id);
        expect(from).to.include('AdaLovelace');
        expect(to)
          .to.match(/HubNorth.*Hafenstraße7.*20457Hamburg/)
          .and.not.include('BackLane9');
      }
    });

    it('from the address of the business, else from its warehouse', async () => {
      const { order_id } = await fixture.order({ warehouse_id });
      const { from, to } = await printed(order_id);
      expect(from).to.match(/HubNorth.*Hafenstraße7/);
      expect(to).to.include('AdaLovelace');
      await set(sender);
      expect((await printed(order_id)).from)
        .to.match(/ReturnsLtd.*BackLane9/)
        .and.not.include('Hafenstraße7');
    });

    it('also on the labels of a route', async () => {
      const { order_id } = await fixture.order({ type: 'P', pickup: STOP, delivery: undefined, warehouse_id });
      const route = { name: 'Collections', schedule_date: '2046-01-02' };
      const { id: route_id } = (await fixture.as('employee', '/routes', { body: route })).json.route;
      await fixture.as('employee', `/routes/${route_id}/orders`, { body: { order_ids: [order_id] } });
      const { json } = await fixture.as('employee', `/routes/${route_id}/labels`);
      const [page] = await picturesOf(Buffer.from(json.pdf_base64, 'base64'));
      expect(page!.text).to.match(/TO.*Hafenstraße7/);
    });
  });

  it('of a route are one document in stop order', async () => {
    const orders: number[] = [];
    for (const packages of [[{}], [{}, {}], [{}]]) orders.push((await fixture.order({ packages })).order_id);
    const { id: route_id } = (
      await fixture.as('employee', '/routes', { body: { name: 'Labels', schedule_date: '2046-01-01' } })
    ).json.route;
    expect((await fixture.as('employee', `/routes/${route_id}/labels`)).status, 'nothing to print').to.equal(404);
    await fixture.as('employee', `/routes/${route_id}/orders`, { body: { order_ids: orders } });
    const { json } = await fixture.as('employee', `/routes/${route_id}/labels`);
    expect(json).to.include({ result: true, route_id, total: 3, page: 1 });
    expect(json.order_ids).to.have.members(orders);
    const pdf = Buffer.from(json.pdf_base64, 'base64').toString('latin1');
    expect(pdf.match(/\/MediaBox \[0 0 288 432\]/g)).to.have.length(4);
    const document = await fixture.as('employee', `/routes/${route_id}/labels`, {
      headers: { accept: 'application/pdf' },
    });
    expect(document.headers.get('content-type')).to.equal('application/pdf');
    expect((await fixture.as('employee', `/routes/${route_id}/labels?page=2`)).status).to.equal(404);
    expect((await fixture.as('other_client_admin', `/routes/${route_id}/labels`)).json.code).to.equal(
      'ROUTE_NOT_FOUND',
    );
  });
});
