/** Publishes the table of a rate card from CSV. */
import { expect } from 'chai';
import { simpleCard, tableOf } from '../../support/inputs/shipments.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../../support/worlds/users.js';

describe('a table of prices from CSV', () => {
  let t: TestService;
  let as: AsUsers;
  let id: number;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    const made = { family: 'local_delivery', name: 'City', currency: 'EUR' };
    id = (await as('client_admin', '/rate-cards', made)).json.rate_card.id as number;
  });
  after(() => t.stop());

  const send = async (csv: string) =>
    t.api(`/rate-cards/${id}/versions/import`, {
      method: 'POST',
      key: await signIns(t)('client_admin'),
      headers: { 'content-type': 'text/csv' },
      body: Buffer.from(csv),
    });

  it('needs a version to start from', async () => {
    const { status, json } = await send('service,lane,up_to_kg,amount\n');
    expect(status).to.equal(404);
    expect(json.code).to.equal('RATE_CARD_VERSION_NOT_FOUND');
    await as('client_admin', `/rate-cards/${id}/versions`, { card: simpleCard() });
  });

  it('replaces the table alone', async () => {
    const csv =
      'service,lane,up_to_kg,amount,above_kg,base,per_kg\r\nstandard,national,2,3.10,,,\r\nstandard,national,,,2,3.10,0.7\r\n';
    const sent = await send(csv);
    expect(sent.status, sent.text).to.equal(200);
    const { card, versions } = (await as('auditor', `/rate-cards/${id}`)).json.rate_card;
    expect(versions).to.have.length(2);
    expect(card.table).to.deep.equal(
      tableOf([
        { up_to_kg: 2, amount: '3.10' },
        { above_kg: 2, base: '3.10', per_kg: '0.7' },
      ]),
    );
    expect(card.taxes).to.have.length(1);
  });

  for (const [what, csv, line] of [
    ['another header', 'service,lane,weight,amount\nstandard,national,2,3.10\n', 1],
    ['a word for a weight', 'service,lane,up_to_kg,amount\nstandard,national,1,3.10\nstandard,national,two,3.10\n', 3],
    ['a comma as decimal sign', 'service,lane,up_to_kg,amount\nstandard,national,2,"3,10"\n', 2],
    ['an open quote', 'service,lane,up_to_kg,amount\nstandard,"national,2,3.10\n', 2],
    ['nothing', '', 1],
  ] as const)
    it(`is refused with the line: ${what}`, async () => {
      const { status, json, text } = await send(csv);
      expect(status, text).to.equal(422);
      expect(json.code).to.equal('RATE_TABLE_UNREADABLE');
      expect(json.detail).to.include(`Line ${line} `);
    });

  it('is checked like any other card', async () => {
    const { status, json } = await send('service,lane,up_to_kg,amount\nexpress,national,2,3.10\n');
    expect(status).to.equal(422);
    expect(json.code).to.equal('RATE_CARD_INVALID');
    expect(json.errors[0].path).to.match(/^\/card\/table\/0/);
  });
});
