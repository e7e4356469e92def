/** The list of customers over HTTP: filters, search by name and phone, terms, and erasure. */
import { expect } from 'chai';
import { query } from '../../support/worlds/database.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventuallyPasses } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

interface Customer {
  readonly id: number;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly status: string;
}

describe('customers', () => {
  let t: TestService;
  let as: AsUsers;
  const ids = new Map<string, number>();
  before(async () => {
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    as = asUsers(t);
    for (const [name, phone] of [
      ['Ada Lovelace', '+49 30 5551234'],
      ['Alan Turing', '+44 20 7946 0999'],
      ['Émilie du Châtelet', '+33 1 2345 6789'],
      ['Li Na', '+86 10 8888 7777'],
    ] as const) {
      const body = { email: emailOf(name), password: 'a long password', name, phone, role: 'customer' };
      const { status, json, text } = await as('client_admin', '/users', body);
      expect(status, text).to.equal(201);
      ids.set(name, json.user.id);
    }
    await as('client_admin', '/users', {
      email: 'employee.ada@example.com',
      password: 'a long password',
      name: 'Ada Employee',
      role: 'employee',
    });
  });
  after(() => t.stop());

  const emailOf = (name: string): string => `${name.normalize('NFKD').replace(/[^A-Za-z]/g, '')}@example.com`;
  const list = async (parameters: Readonly<Record<string, string>> = {}) => {
    const { status, json, text } = await as('employee', `/customers?${new URLSearchParams(parameters).toString()}`);
    expect(status, text).to.equal(200);
    return json.customers as Customer[];
  };
  const names = async (parameters: Readonly<Record<string, string>>) =>
    (await list(parameters)).map(({ name }) => name);
  /** The follower writes the index in the background. */
  const found = (parameters: Readonly<Record<string, string>>, expected: readonly (string | null)[]) =>
    eventuallyPasses(async () => expect(await names(parameters)).to.deep.equal(expected));

  it('are the customer accounts of the business, by id', async () => {
    const all = await list();
    expect(all.map(({ id }) => id)).to.deep.equal([t.demo.users.customer.id, ...ids.values()].sort((a, b) => a - b));
    expect(all.at(-1)).to.have.all.keys('id', 'name', 'email', 'phone', 'status', 'tags', 'created_at');
    const { json } = await as('client_admin', '/customers?per_page=2');
    expect(json).to.include({ total: 5 });
    const next = await as('client_admin', `/customers?per_page=2&cursor=${String(json.next_cursor)}`);
    expect(next.json.customers).to.have.length(2);
    expect(next.json.customers[0].id).to.equal(all[2]!.id);
    expect((await as('other_client_admin', '/customers')).json.customers).to.deep.equal([]);
  });

  it('are found by the complete e-mail address, in upper and lower case', async () => {
    expect(await names({ email: emailOf('Ada Lovelace').toUpperCase() })).to.deep.equal(['Ada Lovelace']);
    expect(await names({ email: 'adalovelac@example.com' })).to.deep.equal([]);
    // An account of another role is no customer.
    expect(await names({ email: 'employee.ada@example.com' })).to.deep.equal([]);
  });

  it('are found by words of the name and by the phone number', async () => {
    await found({ query: 'lovelace ada' }, ['Ada Lovelace']);
    await found({ query: 'Tur' }, ['Alan Turing']);
    await found({ query: 'chatelet' }, ['Émilie du Châtelet']);
    await found({ query: 'li' }, ['Li Na']);
    await found({ query: '030 5551234' }, ['Ada Lovelace']);
    expect(await names({ query: 'Ada Turing' })).to.deep.equal([]);
    expect(await names({ query: '555' })).to.deep.equal([]);
    expect((await as('other_client_admin', '/customers?query=lovelace')).json.customers).to.deep.equal([]);
    const stored = await query<{ text: string }>(t.databaseUrl, 'select x::text as text from customer_search.texts x');
    expect(stored.map(({ text }) => text).join()).to.not.match(/ada|love|5551/i);
  });

  it('are found by their new name after a change', async () => {
    await as('client_admin', `/users/${ids.get('Alan Turing')!}`, { name: 'Alan Mathison' }, 'PATCH');
    await found({ query: 'mathison' }, ['Alan Mathison']);
    expect(await names({ query: 'turing' })).to.deep.equal([]);
    await found({ query: '7946 0999' }, ['Alan Mathison']);
  });

  it('are filtered by status and tag, and show their terms', async () => {
    const id = ids.get('Ada Lovelace')!;
    await as('client_admin', `/customers/${id}/terms`, { tags: ['vip', 'b2b'] }, 'PUT');
    await as('client_admin', `/users/${ids.get('Li Na')!}/disable`, {});
    expect(await names({ tag: 'vip' })).to.deep.equal(['Ada Lovelace']);
    expect(await names({ tag: 'vi' })).to.deep.equal([]);
    expect(await names({ status: 'disabled' })).to.deep.equal(['Li Na']);
    expect(await names({ status: 'disabled', tag: 'vip' })).to.deep.equal([]);
    const { json } = await as('employee', `/customers/${id}?expand=terms`);
    expect(json.customer).to.deep.include({ id, tags: ['b2b', 'vip'], status: 'active' });
    expect(json.customer.terms).to.deep.include({ customer_id: id, tags: ['b2b', 'vip'] });
    const expanded = await as('employee', '/customers?expand=terms&tag=vip');
    expect(expanded.json.customers[0].terms.families).to.have.length(7);
  });

  it('are no other accounts, and none of other businesses', async () => {
    for (const id of [t.demo.users.driver.id, t.demo.users.other_broker.id, 999_999]) {
      const { status, json } = await as('employee', `/customers/${id}`);
      expect([status, json.code], String(id)).to.deep.equal([404, 'CUSTOMER_NOT_FOUND']);
    }
    for (const user of ['customer', 'driver', 'broker'] as const)
      expect((await as(user, '/customers')).status, user).to.equal(403);
  });

  it('lose name, address and search entry with their erasure', async () => {
    const id = ids.get('Émilie du Châtelet')!;
    const erased = await as('client_admin', `/privacy/subjects/account-${id}/erase`, {});
    const rows = await query(t.databaseUrl, `select id from customer_search.texts where id = ${id}`);
    expect(rows, erased.text).to.deep.equal([]);
    expect(await names({ query: 'chatelet' })).to.deep.equal([]);
    const { json } = await as('employee', `/customers/${id}`);
    expect(json.customer).to.include({ id, name: null, email: null, phone: null });
  });

  it('have the same read models after a replay', () => expectSameReplay(t, ['accounts', 'customer_terms']));
});
