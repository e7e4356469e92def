/** Sign-in, user accounts of a business, and API keys, over real HTTP. */
import { expect } from 'chai';
import { ROLE_SCOPES } from '../../../src/api/core/scopes.js';
import { hashesDuring } from '../../support/checks/hashes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

describe('accounts', () => {
  let service: TestService;
  let tokenOf: (user: UserName) => Promise<string>;
  before(async () => {
    service = await startTestService();
    tokenOf = signIns(service);
  });
  after(() => service.stop());

  const login = (email: string, password: string) => service.api('/user/login', { body: { email, password } });
  const as = async (
    user: UserName,
    path: string,
    options: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) => service.api(path, { key: await tokenOf(user), ...options });
  let number = 0;
  const fresh = () => `person.${++number}@example.com`;
  const PASSWORD = 'correct horse battery';

  describe('sign-in', () => {
    it('returns a token, its type, and its expiry in the timezone of the business', async () => {
      const { email, password } = service.demo.users.client_admin;
      const { status, json } = await login(email.toUpperCase(), password);
      expect(status).to.equal(200);
      expect(json).to.include({ result: true, token_type: 'Bearer' });
      expect(json.expires_at).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      const berlin = new Intl.DateTimeFormat('sv-SE', {
        timeZone: 'Europe/Berlin',
        dateStyle: 'short',
        timeStyle: 'medium',
      }).format(json.expires_timestamp * 1_000);
      expect(json.expires_at).to.equal(berlin);
      const me = await service.api('/me', { key: json.access_token });
      expect(me.json.user).to.include({ role: 'client_admin', email });
      expect(me.json.user.scopes).to.include('orders:write').and.not.include('platform:write');
    });

    it('returns the same for a wrong password, an unknown address and a disabled account', async () => {
      const { email } = service.demo.users.employee;
      const answers = [
        await login(email, 'wrong password here'),
        await login('nobody@example.com', 'wrong password here'),
      ];
      for (const { status, json } of answers) {
        expect(status).to.equal(401);
        const { request_id: _id, ...problem } = json;
        const { request_id: _other, ...first } = answers[0]!.json;
        expect(problem).to.deep.equal(first);
      }
    });

    it('checks a password for an unknown address too, so that the response takes as long', async () => {
      const hashed = async (emails: readonly string[]) => {
        const hashes: number[] = [];
        for (const email of emails) hashes.push(await hashesDuring(() => login(email, 'wrong password here')));
        return hashes;
      };
      // The first login computes the hash that is compared for unknown addresses.
      await login('nobody@example.net', 'wrong password here');
      const { customer, other_broker, driver } = service.demo.users;
      expect(await hashed([customer.email, other_broker.email, driver.email])).to.deep.equal([1, 1, 1]);
      expect(await hashed(['one@example.net', 'two@example.net', 'three@example.net'])).to.deep.equal([1, 1, 1]);
    });

    it('locks an address after five failures, known or unknown, and returns for how long', async () => {
      for (const email of [service.demo.users.broker_2.email, 'guess.me@example.com']) {
        for (let failure = 0; failure < 5; failure++)
          expect((await login(email, 'wrong password here')).status).to.equal(401);
        const locked = await login(email, service.demo.users.broker_2.password);
        expect(locked.status).to.equal(429);
        expect(locked.json.code).to.equal('LOCKED_OUT');
        expect(Number(locked.headers.get('retry-after'))).to.be.within(1, 2);
      }
    });

    it('counts concurrent attempts', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => login('many.at.once@example.com', 'wrong password here')),
      );
      expect(answers.filter(({ status }) => status === 401)).to.have.length(5);
    });

    it('ends with sign-out', async () => {
      const { email, password } = service.demo.users.auditor;
      const { json } = await login(email, password);
      expect((await service.api('/user/logout', { key: json.access_token, body: {} })).status).to.equal(200);
      expect((await service.api('/me', { key: json.access_token })).status).to.equal(401);
    });
  });

  describe('users', () => {
    const newUser = (role: string, more: object = {}) => ({
      email: fresh(),
      password: PASSWORD,
      name: 'Jo Doe',
      role,
      ...more,
    });

    it('are created by their client admin, and can sign in at once', async () => {
      const body = newUser('employee', { phone: '+49 40 1234' });
      const made = await as('client_admin', '/users', { body });
      expect(made.status).to.equal(201);
      expect(made.headers.get('x-event-position')).to.be.a('string');
      const { json } = await login(body.email, PASSWORD);
      const me = await service.api('/me', { key: json.access_token });
      expect(me.json.user).to.include({
        id: made.json.user.id,
        name: 'Jo Doe',
        phone: '+49 40 1234',
        role: 'employee',
        status: 'active',
      });
    });

    it('have one account per address', async () => {
      const body = newUser('driver');
      expect((await as('client_admin', '/users', { body })).status).to.equal(201);
      const second = await as('client_admin', '/users', { body });
      expect([second.status, second.json.code, second.json.errors[0].field]).to.deep.equal([
        409,
        'EMAIL_TAKEN',
        'email',
      ]);
    });

    it('have one account if the request is repeated with a key', async () => {
      const body = newUser('driver');
      const headers = { 'idempotency-key': 'open-once' };
      const [first, again] = [
        await as('client_admin', '/users', { body, headers }),
        await as('client_admin', '/users', { body, headers }),
      ];
      expect(again.json).to.deep.equal(first.json);
      expect(again.headers.get('x-event-position')).to.equal(first.headers.get('x-event-position'));
    });

    it('of another business do not exist', async () => {
      const foreign = service.demo.users.other_client_admin.id;
      expect((await as('client_admin', `/users/${foreign}`)).status).to.equal(404);
      expect((await as('client_admin', `/users/${foreign}/disable`, { body: {} })).status).to.equal(404);
      expect(
        (await as('client_admin', `/users/${foreign}/password`, { body: { new_password: PASSWORD } })).status,
      ).to.equal(404);
      const { json } = await as('other_client_admin', '/users');
      expect(json.users.map(({ role }: { role: string }) => role).sort()).to.deep.equal(['broker', 'client_admin']);
    });

    it('cannot assign permissions that they lack', async () => {
      expect((await as('client_admin', '/users', { body: newUser('platform_admin') })).status).to.equal(403);
      expect((await as('client_admin', '/users', { body: newUser('employee', { business_id: 2 }) })).status).to.equal(
        403,
      );
      expect((await as('employee', '/users', { body: newUser('employee') })).status).to.equal(403);
      expect((await as('platform_admin', '/users', { body: newUser('employee', { business_id: 1 }) })).status).to.equal(
        403,
      );
      expect(
        (await as('platform_admin', '/users', { body: newUser('client_admin', { business_id: 1 }) })).status,
      ).to.equal(201);
    });

    it('are signed out when disabled, and can sign in again when enabled', async () => {
      const body = newUser('employee');
      const {
        json: {
          user: { id: user_id },
        },
      } = await as('client_admin', '/users', { body });
      const {
        json: { access_token },
      } = await login(body.email, PASSWORD);
      await as('client_admin', `/users/${user_id}/disable`, { body: {} });
      expect((await service.api('/me', { key: access_token })).status).to.equal(401);
      expect((await login(body.email, PASSWORD)).status).to.equal(401);
      await as('client_admin', `/users/${user_id}/enable`, { body: {} });
      expect((await login(body.email, PASSWORD)).status).to.equal(200);
    });

    it('with a new password lose their other sessions', async () => {
      const body = newUser('employee');
      await as('client_admin', '/users', { body });
      const [{ json: one }, { json: other }] = [await login(body.email, PASSWORD), await login(body.email, PASSWORD)];
      expect(
        (
          await service.api('/me/password', {
            method: 'PUT',
            key: one.access_token,
            body: { current_password: 'not this one at all', new_password: 'another long password' },
          })
        ).status,
      ).to.equal(401);
      expect(
        (
          await service.api('/me/password', {
            method: 'PUT',
            key: one.access_token,
            body: { current_password: PASSWORD, new_password: 'another long password' },
          })
        ).status,
      ).to.equal(200);
      expect((await service.api('/me', { key: one.access_token })).status).to.equal(200);
      expect((await service.api('/me', { key: other.access_token })).status).to.equal(401);
      expect((await login(body.email, 'another long password')).status).to.equal(200);
    });

    it('with the role driver can register and are then pending', async () => {
      const body = { business_code: 'demo', email: fresh(), password: PASSWORD, name: 'Dana Driver' };
      const first = await service.api('/drivers/register', { body });
      expect(first.status).to.equal(202);
      expect(first.json).to.deep.equal({ result: true, registration: { status: 'pending' } });
      expect((await login(body.email, PASSWORD)).status).to.equal(401);
      // A taken address and an unknown business get the same response.
      for (const other of [body, { ...body, business_code: 'nowhere', email: fresh() }])
        expect((await service.api('/drivers/register', { body: other })).text).to.equal(first.text);
      const { json } = await as('client_admin', '/users?status=pending');
      const waiting = json.users.find(({ email }: { email: string }) => email === body.email);
      await as('client_admin', `/users/${waiting.id}/enable`, { body: {} });
      expect((await login(body.email, PASSWORD)).status).to.equal(200);
    });
  });

  describe('API keys', () => {
    it('have the read-only profile by default, are shown once, and end when revoked', async () => {
      const made = await as('client_admin', '/api-keys', { body: { name: 'Dashboard' } });
      expect(made.status).to.equal(201);
      expect(made.json.api_key.profile).to.equal('ops-readonly');
      const key = made.json.secret as string;
      expect((await service.api('/me', { key })).json.user.scopes)
        .to.include('orders:read')
        .and.not.include('orders:write');
      expect((await service.api('/users', { key })).json.code).to.equal('INSUFFICIENT_SCOPE');
      const listed = await as('client_admin', '/api-keys');
      expect(listed.json.api_keys).to.have.length(1);
      expect(listed.text).not.to.include(key);
      expect((await as('client_admin', `/api-keys/${made.json.api_key.id}`, { method: 'DELETE' })).status).to.equal(
        200,
      );
      expect((await service.api('/me', { key })).status).to.equal(401);
      expect((await as('client_admin', '/api-keys')).json.api_keys).to.have.length(0);
    });

    it('never have more permissions than the role of their owner, and create no additional keys', async () => {
      const made = await as('driver', '/api-keys', { body: { name: 'Phone', profile: 'full' } });
      expect(made.json.api_key.scopes).to.have.members([...ROLE_SCOPES.driver]);
      expect((await service.api('/api-keys', { key: made.json.secret, body: { name: 'Second' } })).status).to.equal(
        403,
      );
    });

    it('of other users cannot be revoked', async () => {
      const made = await as('employee', '/api-keys', { body: { name: 'Mine' } });
      expect((await as('client_admin', `/api-keys/${made.json.api_key.id}`, { method: 'DELETE' })).status).to.equal(
        404,
      );
      expect((await service.api('/me', { key: made.json.secret })).status).to.equal(200);
    });
  });

  describe('businesses', () => {
    it('are for platform admins', async () => {
      expect((await as('client_admin', '/businesses')).status).to.equal(403);
      const { json } = await as('platform_admin', '/businesses');
      expect(json.businesses.map(({ code }: { code: string }) => code)).to.deep.equal(['demo', 'other']);
      const made = await as('platform_admin', '/businesses', {
        body: { code: 'third', name: 'Third', timezone: 'Asia/Tokyo' },
      });
      expect(made.status).to.equal(201);
      const switched = await as(
        'platform_admin',
        `/businesses/${made.json.business.id}/modules/contractor_assignment`,
        { method: 'PUT', body: { enabled: true } },
      );
      expect(switched.json.business.modules).to.deep.equal(['contractor_assignment']);
      expect((await as('platform_admin', '/businesses', { body: { code: 'third', name: 'Again' } })).status).to.equal(
        409,
      );
    });
  });

  it('leave no secret and no address in events and logs', async () => {
    const { email, password } = service.demo.users.client_admin;
    const { rows } = await service.service.engines.pool.query<{ text: string }>(
      `select coalesce(string_agg(l::text, ' '), '') as text from access.logins l`,
    );
    expect(rows[0]!.text).not.to.include(email);
    for await (const event of service.service.engines.log.read(`account-${service.demo.users.client_admin.id}`)) {
      expect(JSON.stringify(event)).not.to.include(email).and.not.include(password);
    }
  });
});
