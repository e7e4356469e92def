/** Address books over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { graphql } from '../../support/clients/graphql.js';
import { openOrderDesk, STOP, type OrderDesk } from '../../support/worlds/orders.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('address books', () => {
  let test: TestService;
  let desk: OrderDesk;
  before(async () => (desk = openOrderDesk((test = await startTestService()))));
  after(() => test.stop());

  const save = async (members: object = {}, user: 'employee' | 'customer' = 'employee') =>
    desk.as(user, '/address-book', { body: { kind: 'recipient', address: STOP, ...members } });
  const list = async (query = '', user: 'employee' | 'customer' = 'employee') =>
    (await desk.as(user, `/address-book${query}`)).json;

  it('save, change, remove and list entries, each owner its own', async () => {
    const { status, json } = await save({ label: 'Ada', default: true });
    expect(status).to.equal(201);
    await save({ kind: 'sender', default: true });
    await save({ label: 'mine' }, 'customer');
    const newest = (await save({ default: true })).json.address_id as number;
    expect(
      (await desk.as('employee', `/address-book/${json.address_id}`, { method: 'PATCH', body: { notes: 'Bell 3' } }))
        .status,
    ).to.equal(200);
    const { total, addresses } = await list('?kind=recipient&country=CA');
    expect(total).to.equal(2);
    expect(addresses[0]).to.deep.equal({
      address_id: json.address_id,
      kind: 'recipient',
      label: 'Ada',
      address: STOP,
      notes: 'Bell 3',
      default: false,
    });
    expect(addresses[1]).to.deep.include({ address_id: newest, default: true });
    expect((await list('', 'customer')).addresses.map(({ label }: { label: string }) => label)).to.deep.equal(['mine']);
    expect((await desk.as('employee', `/address-book/${newest}`, { method: 'DELETE' })).status).to.equal(200);
    expect((await desk.as('employee', `/address-book/${newest}`, { method: 'DELETE' })).json.code).to.equal(
      'ADDRESS_NOT_FOUND',
    );
    expect((await list('?kind=recipient')).addresses).to.have.length(1);
  });

  it('answer the same over GraphQL, and tell the audit', async () => {
    const key = await signIns(test)('employee');
    const told = await graphql(test.url, '{ addressBook { total addresses { addressId kind } } }', { key });
    const { total, addresses } = await list();
    expect(told.data.addressBook).to.deep.equal({
      total,
      addresses: addresses.map(({ address_id, kind }: { address_id: number; kind: string }) => ({
        addressId: address_id,
        kind,
      })),
    });
    // The audit follows later: whoever brings the position sees the write.
    const headers = positionOf(await save());
    const events = await desk.as('client_admin', '/audit/events?area=addresses', { headers });
    expect(events.json.events.map(({ type }: { type: string }) => type)).to.include('AddressSaved');
  });

  it('forget a person, and only that', async () => {
    const { address_id } = (await save({ label: 'Secret' })).json;
    const erased = await desk.as('client_admin', `/privacy/subjects/address-${address_id}/erase`, { body: {} });
    expect(erased.status, erased.text).to.equal(200);
    const { addresses } = await list('?per_page=200');
    const left = addresses.find((one: { address_id: number }) => one.address_id === address_id);
    expect(left).to.deep.equal({
      address_id,
      kind: 'recipient',
      address: { city: 'Toronto', region: 'ON', postal_code: 'M5V 2T6', country: 'CA' },
      default: false,
    });
    await expectSameReplay(test, ['addresses']);
  });
});
