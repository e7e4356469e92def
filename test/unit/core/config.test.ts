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
});
