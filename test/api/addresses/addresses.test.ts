/** Address books over real HTTP. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { graphql } from '../../support/clients/graphql.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('address books', () => {
  let test: TestService;
  let fixture: OrderFixture;
  before(async () => (fixture = openOrderFixture((test = await startTestService()))));
  after(() => test.stop());

  let saved = 0;
  /** Each entry has another street: an address book contains an address once. */
  const save = async (members: object = {}, user: 'employee' | 'customer' = 'employee') =>
    fixture.as(user, '/address-book', {
      body: { kind: 'recipient', address: { ...STOP, street: `${++saved} Analytical Road` }, ...members },
    });
  const list = async (query = '', user: 'employee' | 'customer' = 'employee') =>
    (await fixture.as(user, `/address-book${query}`)).json;

  it('save, change, remove and list entries, separately for each owner', async () => {
    const { status, json } = await save({ label: 'Ada', address: STOP, is_default: true });
    expect(status).to.equal(201);
    await save({ kind: 'sender', is_default: true });
    await save({ label: 'mine' }, 'customer');
    const newest = (await save({ is_default: true })).json.address_book_entry.id as number;
    expect(
      (
        await fixture.as('employee', `/address-book/${json.address_book_entry.id}`, {
          method: 'PATCH',
          body: { note: 'Bell 3' },
        })
      ).status,
    ).to.equal(200);
    const { total, addresses } = await list('?kind=recipient&country=CA');
    expect(total).to.equal(2);
    expect(addresses[0]).to.deep.equal({
      id: json.address_book_entry.id,
      kind: 'recipient',
      label: 'Ada',
      address: STOP,
      note: 'Bell 3',
      is_default: false,
      order_count: 0,
      last_used_at: null,
      version: 1,
    });
    expect(addresses[1]).to.deep.include({ id: newest, is_default: true });
    expect((await list('', 'customer')).addresses.map(({ label }: { label: string }) => label)).to.deep.equal(['mine']);
    expect((await fixture.as('employee', `/address-book/${newest}`, { method: 'DELETE' })).status).to.equal(200);
    expect((await fixture.as('employee', `/address-book/${newest}`, { method: 'DELETE' })).json.code).to.equal(
      'ADDRESS_NOT_FOUND',
    );
    expect((await list('?kind=recipient')).addresses).to.have.length(1);
  });

  it('return the same over GraphQL, and appear in the audit', async () => {
    const key = await signIns(test)('employee');
    const response = await graphql(test.url, '{ addressBook { total addresses { id kind } } }', { key });
    const { total, addresses } = await list();
    expect(response.data.addressBook).to.deep.equal({
      total,
      addresses: addresses.map(({ id, kind }: { id: number; kind: string }) => ({ id, kind })),
    });
    // The audit follows later: a read with the position of the write includes it.
    const headers = positionOf(await save());
    const events = await fixture.as('client_admin', '/audit/events?area=addresses', { headers });
    expect(events.json.events.map(({ type }: { type: string }) => type)).to.include('AddressSaved');
  });

  it('erase a person, and nothing else', async () => {
    const { id } = (await save({ label: 'Secret' })).json.address_book_entry;
    const erased = await fixture.as('client_admin', `/privacy/subjects/address-${id}/erase`, { body: {} });
    expect(erased.status, erased.text).to.equal(200);
    const ids = (await list('?per_page=200')).addresses.map((one: { id: number }) => one.id);
    expect(ids).not.to.include(id);
    expect(ids).to.have.length.above(1);
    await expectSameReplay(test, ['addresses', 'address_uses']);
  });
});
