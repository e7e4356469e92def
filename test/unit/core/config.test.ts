import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';

describe('the configuration', () => {
  for (const url of [
    'esdb://host:2113?tls=false',
    'esdb://a:2113,b:2113,c:2113?tls=false&nodePreference=leader',
    'esdb+discover://nodes.example:2113?tls=false',
    'esdb://user:p%40ss@host',
    'esdb://[::1]:2113/',
  ]) {
    it(`accepts the EventStoreDB address ${url}`, () =>
      expect(readConfig({ EVENTSTORE_URL: url }).eventStoreUrl).to.equal(url));
  }

  for (const url of [
    'http://host:2113',
    'esdb+discover://a:2113,b:2113',
    'kurrentdb://host:2113',
    'esdb://',
    'esdb://a:2113,',
    'esdb://a b',
    'host:2113',
  ]) {
    it(`rejects the EventStoreDB address ${url}`, () =>
      expect(() => readConfig({ EVENTSTORE_URL: url })).to.throw('EVENTSTORE_URL: '));
  }

  for (const [name, value] of [
    ['PORT', ' '],
    ['PORT', '1e3'],
    ['PORT', '65536'],
    ['RATE_LIMIT_READ', '0'],
    ['TRUST_PROXY', 'banana'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1/8/8'],
  ] as const)
    it(`rejects ${name}=${JSON.stringify(value)} by its name`, () =>
      expect(() => readConfig({ [name]: value })).to.throw(new RegExp(`^${name}: must be `)));

  for (const [value, read] of [
    ['', false],
    ['off', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
    ['fd00::/8', 'fd00::/8'],
  ] as const)
    it(`accepts TRUST_PROXY=${value}`, () => expect(readConfig({ TRUST_PROXY: value }).trustProxy).to.equal(read));

  it('does not repeat an invalid value', () => {
    const read = () =>
      readConfig({
        DATABASE_URL: 'mysql://user:hush@host/db',
        EVENTSTORE_URL: 'es://user:hush@host',
        MASTER_KEY: 'hush',
      });
    expect(read).to.throw(/DATABASE_URL[^]*EVENTSTORE_URL/);
    expect(read).to.not.throw(/hush/);
  });

  describe('of card payments', () => {
    const KEYS = { PAYMENTS_KEY: 'sk_test_hush', PAYMENTS_WEBHOOK_SECRET: 'whsec_hush' };

    it('has keys for an account of the operator', () => {
      const { payments } = readConfig({ PAYMENTS_PROVIDER: 'stripe', PAYMENTS_BASE_URL: 'http://pay:80/', ...KEYS });
      expect(payments).to.deep.equal({
        baseUrl: 'http://pay:80',
        operator: {
          provider: 'stripe',
          keys: { secretKey: KEYS.PAYMENTS_KEY, webhookSecret: KEYS.PAYMENTS_WEBHOOK_SECRET },
          publishableKey: undefined,
        },
      });
      expect(readConfig({}).payments).to.deep.equal({ baseUrl: undefined, operator: undefined });
      expect(readConfig({ PAYMENTS_PROVIDER: 'test' }).payments.operator!.keys).to.equal(undefined);
    });

    for (const [name, env] of Object.entries({
      'a provider without keys': { PAYMENTS_PROVIDER: 'stripe' },
      'keys without a provider': KEYS,
      'a part of the keys': { PAYMENTS_PROVIDER: 'stripe', PAYMENTS_KEY: KEYS.PAYMENTS_KEY },
      'a separate test provider without keys': {
        PAYMENTS_PROVIDER: 'test',
        PAYMENTS_BASE_URL: 'http://127.0.0.1:4242',
      },
      'the test provider in production': { PAYMENTS_PROVIDER: 'test', NODE_ENV: 'production' },
      'an unknown provider': { PAYMENTS_PROVIDER: 'cash' },
      'an address with a path': { PAYMENTS_BASE_URL: 'https://pay.example/v1' },
    }))
      it(`rejects ${name}, and does not repeat secrets`, () => {
        const read = () => readConfig(env);
        expect(read).to.throw(/PAYMENTS_/);
        expect(read).to.not.throw(/hush/);
      });
  });
});
