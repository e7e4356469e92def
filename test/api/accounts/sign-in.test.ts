/** Sign-in and registration under attack: a stranger can neither lock an account nor learn which accounts exist. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('sign-in during attempts of others', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      env: { TRUST_PROXY: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' },
    });
  });
  after(() => service.stop());

  const login = (email: string, password: string, from: string) =>
    service.api('/user/login', { body: { email, password }, headers: { 'x-forwarded-for': from } });
  const wrong = 'wrong password here';

  it('locks an account for the failing network, and accepts its owner from elsewhere', async () => {
    const { email, password } = service.demo.users.employee;
    for (let failure = 0; failure < 5; failure++)
      expect((await login(email, wrong, '2001:db8:1:2::bad')).status).to.equal(401);
    expect((await login(email, password, '2001:db8:1:2:9::1')).status, 'the same /64').to.equal(429);
    expect((await login(email, password, '2001:db8:1:3::1')).status).to.equal(200);
    expect((await login(email, password, '198.51.100.7')).status).to.equal(200);
  });

  it('slows down a network that tries one password for many accounts', async () => {
    const from = '203.0.113.9';
    const statuses: number[] = [];
    for (let count = 0; count < 62; count++)
      statuses.push((await login(`nobody${count}@example.com`, wrong, from)).status);
    expect(statuses.slice(0, 60).every((status) => status === 401)).to.equal(true);
    expect(statuses.slice(60)).to.deep.equal([429, 429]);
    const { email, password } = service.demo.users.auditor;
    expect((await login(email, password, '203.0.113.10')).status).to.equal(200);
  });

  it('does not lock the sign-in after wrong guesses of a session', async () => {
    const { email, password } = service.demo.users.broker;
    const from = '198.51.100.20';
    const key = (await login(email, password, from)).json.access_token as string;
    const change = (current_password: string) =>
      service.api('/me/password', {
        method: 'PUT',
        key,
        body: { current_password, new_password: password },
        headers: { 'x-forwarded-for': from },
      });
    for (let failure = 0; failure < 5; failure++) expect((await change(wrong)).status).to.equal(401);
    expect((await change(password)).status).to.equal(429);
    expect((await login(email, password, from)).status).to.equal(200);
  });

  it('rejects a flood of sign-ins early, and serves all other requests', async () => {
    const { email, password } = service.demo.users.customer;
    const key = (await login(email, password, '198.51.100.30')).json.access_token as string;
    /** The number of passwords that were checked. */
    let tried = 0;
    const flood = Promise.all(
      Array.from({ length: 300 }, async (_, count) => {
        const { status } = await login(`flood${count}@example.com`, wrong, `10.0.${count % 250}.1`);
        if (status === 401) tried += 1;
        return status;
      }),
    );
    const meanwhile: number[] = [];
    for (let count = 0; count < 20; count++) {
      const before = tried;
      expect((await service.api('/me', { key })).status).to.equal(200);
      meanwhile.push(tried - before);
    }
    const statuses = await flood;
    expect(new Set(statuses)).to.deep.equal(new Set([401, 503]));
    expect(statuses.filter((status) => status === 503).length, 'turned away').to.be.above(100);
    // Without a limit the first read waits for all 300.
    expect(Math.max(...meanwhile), 'passwords tried during one read').to.be.below(100);
  });

  describe('registration', () => {
    const person = (email: string, business_code = 'demo') => ({
      business_code,
      email,
      password: 'long enough password',
      name: 'New',
    });
    const register = (body: object, from: string) =>
      service.api('/drivers/register', { body, headers: { 'x-forwarded-for': from } });

    it('gets the same response for any account or business', async () => {
      const taken = service.demo.users.driver.email;
      for (const body of [
        person(`${randomUUID()}@example.com`),
        person(taken),
        person(`${randomUUID()}@example.com`, 'nobody'),
      ]) {
        const { status, json } = await register(body, '198.51.100.40');
        expect([status, json]).to.deep.equal([202, { result: true, registration: { status: 'pending' } }]);
      }
    });

    it('does not reserve an address before it is enabled, and then for one account only', async () => {
      const admin = await signIns(service)('client_admin');
      const email = `${randomUUID()}@example.com`;
      for (const from of ['198.51.100.41', '198.51.100.42'])
        expect((await register(person(email), from)).status).to.equal(202);
      const waiting = (await service.api('/users?status=pending&per_page=100', { key: admin })).json.users.filter(
        (user: { email: string }) => user.email === email,
      );
      expect(waiting).to.have.length(2);
      // The owner of the address can get an account from the admin, regardless of registrations.
      const opened = await service.api('/users', {
        key: admin,
        body: { email, password: 'the real password', name: 'Owner', role: 'driver' },
      });
      expect(opened.status, opened.text).to.equal(201);
      const enable = await service.api(`/users/${waiting[0].id}/enable`, { key: admin, body: {} });
      expect([enable.status, enable.json.code]).to.deep.equal([409, 'EMAIL_TAKEN']);
      expect((await login(email, 'the real password', '198.51.100.43')).status).to.equal(200);
      expect((await login(email, 'long enough password', '198.51.100.43')).status).to.equal(401);
    });

    it('an address with a single registration can be enabled', async () => {
      const admin = await signIns(service)('client_admin');
      const email = `${randomUUID()}@example.com`;
      await register(person(email), '198.51.100.44');
      expect((await login(email, 'long enough password', '198.51.100.44')).status).to.equal(401);
      const [{ id }] = (await service.api('/users?status=pending&per_page=100', { key: admin })).json.users.filter(
        (user: { email: string }) => user.email === email,
      );
      expect((await service.api(`/users/${id}/enable`, { key: admin, body: {} })).status).to.equal(200);
      expect((await login(email, 'long enough password', '198.51.100.44')).status).to.equal(200);
    });

    it('is limited per address', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 21; count++)
        statuses.push((await register(person(`${randomUUID()}@example.com`, 'nobody'), '198.51.100.45')).status);
      expect(statuses.at(-1)).to.equal(429);
      expect(new Set(statuses.slice(0, 20))).to.deep.equal(new Set([202]));
    });
  });
});
