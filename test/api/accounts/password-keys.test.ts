/** A new password and the API keys of the account: the user's own change keeps them, a reset by an admin does not. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another long password';

describe('API keys after a new password', () => {
  let t: TestService;
  let admin: string;
  let count = 0;
  before(async () => {
    t = await startTestService();
    admin = await signIns(t)('client_admin');
  });
  after(() => t.stop());

  /** A user with a session and two API keys. */
  async function userWithKeys() {
    const email = `keys.${(count += 1)}@example.com`;
    const made = await t.api('/users', {
      key: admin,
      body: { email, password: PASSWORD, name: 'K', role: 'employee' },
    });
    const { access_token: key } = (await t.api('/user/login', { body: { email, password: PASSWORD } })).json;
    const secrets: string[] = [];
    for (const name of ['one', 'two'])
      secrets.push((await t.api('/api-keys', { key, body: { name, scopes: ['orders:read'] } })).json.secret);
    const statuses = () => Promise.all(secrets.map(async (secret) => (await t.api('/me', { key: secret })).status));
    expect(await statuses()).to.deep.equal([200, 200]);
    return { id: made.json.user.id as number, key: key as string, statuses };
  }
  const change = (key: string, more: object = {}) =>
    t.api('/me/password', {
      method: 'PUT',
      key,
      body: { current_password: PASSWORD, new_password: NEW_PASSWORD, ...more },
    });

  it("H3: stay valid after the user's own change, and the response says how many", async () => {
    const { key, statuses } = await userWithKeys();
    const answer = await change(key);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json).to.include({ revoked_api_key_count: 0, kept_api_key_count: 2 });
    expect(await statuses()).to.deep.equal([200, 200]);
  });

  it("H3: end with the user's own change if the user asks for it", async () => {
    const { key, statuses } = await userWithKeys();
    expect((await change(key, { end_api_keys: true })).json).to.include({
      revoked_api_key_count: 2,
      kept_api_key_count: 0,
    });
    expect(await statuses()).to.deep.equal([401, 401]);
    expect((await t.api('/api-keys', { key })).json.api_keys).to.deep.equal([]);
  });

  it('H3: end when an admin resets the password', async () => {
    const { id, key, statuses } = await userWithKeys();
    const body = { new_password: NEW_PASSWORD };
    const answer = await t.api(`/users/${id}/password`, { key: admin, body });
    expect(answer.json).to.include({ revoked_api_key_count: 2, kept_api_key_count: 0 });
    expect(await statuses()).to.deep.equal([401, 401]);
    expect((await t.api('/me', { key })).status).to.equal(401);
    expect((await t.api(`/users/${id}/password`, { key: admin, body })).json).to.include({ revoked_api_key_count: 0 });
  });
});
