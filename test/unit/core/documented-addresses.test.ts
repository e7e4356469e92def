/** The configuration accepts every EventStoreDB address in a document or compose file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';

const FILES = [
  'README.md',
  ...['docs', 'docker'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(md|yaml)$/.test(name))
      .map((name) => join(folder, name)),
  ),
];
const ADDRESS = /esdb(?:\+discover)?:\/\/[^\s`"'|)<]+/g;

describe('EventStoreDB addresses in documents', () => {
  const named = FILES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(ADDRESS)].map(([text]) => ({ file, url: text.replace(/[.,;:]+$/, '') })),
  ).filter(({ url }) => !/^esdb(\+discover)?:\/\/$/.test(url));

  it('are found', () => {
    expect(named.filter(({ file }) => file === join('docs', 'eventstoredb.md'))).to.have.length.at.least(4);
  });

  for (const { file, url } of named) {
    it(`${url} of ${file} is accepted`, () => {
      // Any host is valid where a document leaves the host out.
      const whole = url.replace(/@$/, '@host');
      expect(readConfig({ EVENTSTORE_URL: whole }).eventStoreUrl).to.equal(whole);
      expect(() => EventStoreDBClient.connectionString(whole), 'by the client library').not.to.throw();
    });
  }
});
