/** Receipts of top-ups over real HTTP: who gets one, and the same bytes on each request. */
import { expect } from 'chai';
import { PROFILE, TOP_UP } from '../../support/inputs/top-ups.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers, type UserName } from '../../support/worlds/users.js';

describe('receipts of top-ups', () => {
  let t: TestService;
  let as: AsUsers;
  let id: number;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    await as('client_admin', '/billing-profile', PROFILE, 'PUT');
    id = (await as('customer', '/customer/wallet/top-ups', TOP_UP)).json.top_up.id;
  });
  after(() => t.stop());

  const receipt = (user: UserName = 'customer') => as(user, `/customer/wallet/top-ups/${id}/receipt`);

  it('do not exist before the money has arrived', async () => {
    const { status, json } = await receipt();
    expect([status, json.code]).to.deep.equal([409, 'CONFLICT']);
    expect(json.message).to.equal('The top-up has not succeeded, so there is no receipt.');
  });

  it('show the amount that arrived, the business and the customer', async () => {
    await as('employee', `/top-ups/${id}/confirm`, { amount: '49.50' });
    const { json } = await receipt();
    expect(json.top_up_receipt).to.include({ top_up_id: id, media_type: 'application/pdf' });
    const [page, ...others] = await picturesOf(Buffer.from(json.top_up_receipt.pdf_base64, 'base64'));
    expect(others).to.deep.equal([]);
    const { name } = (await as('customer', '/me')).json.user;
    for (const text of ['49.50EUR', 'DemoLogisticsGmbH', (name as string).replaceAll(' ', ''), 'banktransfer'])
      expect(page!.text).to.include(text);
  });

  it('have the same bytes after the names of the business and the customer changed', async () => {
    const before = (await receipt()).json.top_up_receipt.pdf_base64 as string;
    await as('client_admin', '/billing-profile', { ...PROFILE, legal_name: 'Renamed GmbH' }, 'PUT');
    const user = (await as('customer', '/me')).json.user.id as number;
    expect((await as('client_admin', `/users/${user}`, { name: 'Renamed' }, 'PATCH')).status).to.equal(200);
    for (const reader of ['customer', 'employee', 'client_admin'] as const)
      expect((await receipt(reader)).json.top_up_receipt.pdf_base64, reader).to.equal(before);
  });

  it('are invisible to other roles and businesses', async () => {
    expect((await receipt('auditor')).status).to.equal(403);
    expect((await receipt('other_client_admin')).status).to.equal(404);
  });
});
