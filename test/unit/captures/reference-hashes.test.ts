/**
 * U5: the hashes that the reference implementation publishes, and the published hashes that this service computes
 * equally.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DEFAULT_PREFIXES } from '../../../src/serializers/epcis/context.js';
import { eventHashes } from '../../../src/serializers/epcis/hash.js';
import { PUBLISHED } from '../../support/inputs/reference-hashes/index.js';

const ni = (hash: string) => `ni:///sha-256;${hash}?ver=CBV2.0`;

describe('published EPCIS event hashes (U5)', () => {
  it('come from 22 documents', () => {
    expect(Object.keys(PUBLISHED)).to.have.length(22);
    expect(Object.values(PUBLISHED).flat()).to.have.length(40);
  });

  for (const [document, events] of Object.entries(PUBLISHED))
    it(`${document}: ${[...new Set(events.map(({ as }) => as))].join(' and ')}`, () => {
      for (const { hash, as, event } of events) {
        const hashes = eventHashes(event, DEFAULT_PREFIXES);
        if (as === 'given') expect(hashes.given).to.equal(ni(hash));
        else {
          expect(hashes.given).not.to.equal(ni(hash));
          expect(hashes.foreign).to.include(ni(hash));
        }
      }
    });

  it('are in the documentation as computed', () => {
    const rows = readFileSync('docs/formats.md', 'utf8').split('\n');
    for (const [document, events] of Object.entries(PUBLISHED)) {
      const row = rows.find((line) => line.startsWith(`| ${document} |`));
      const same = events.filter(({ as }) => as === 'given').length;
      expect(row, document).to.match(new RegExp(`^\\| ${document} \\| ${events.length} \\| ${same} \\|`));
    }
  });
});
