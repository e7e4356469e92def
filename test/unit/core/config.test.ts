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
    it(`takes the EventStoreDB address ${url}`, () =>
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
    it(`refuses the EventStoreDB address ${url}`, () =>
      expect(() => readConfig({ EVENTSTORE_URL: url })).to.throw('EVENTSTORE_URL: '));
  }

  it('does not repeat a value that is at fault', () => {
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
