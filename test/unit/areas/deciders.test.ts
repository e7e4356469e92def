/** Every area with business rules has a test of its deciders. */
import { expect } from 'chai';
import { readSources } from '../../../scripts/check/sources.js';

const sources = readSources('src/commands', 'test/unit');
const DECIDER = /^src\/commands\/(?!core\/)([^/]+)\/.*\.ts$/;
const isDecider = (file: string, text: string) =>
  file.endsWith('/decider.ts') || /^export const \w+(: Decider<|\s*= (entity|keyedList)[<(])/m.test(text);
const areas = new Set(
  [...sources].flatMap(([file, { text }]) => (isDecider(file, text) ? (DECIDER.exec(file)?.[1] ?? []) : [])),
);

describe('deciders', () => {
  it('belong to the areas that this test lists', () =>
    expect(areas).to.include.all.keys('documents', 'orders', 'skills'));

  for (const area of areas)
    it(`of ${area} are tested with given, when, then`, () => {
      const tests = [...sources].filter(
        ([file, { imports }]) =>
          file.startsWith('test/') &&
          imports.includes('test/support/checks/given.ts') &&
          imports.some((path) => path.startsWith(`src/commands/${area}/`)),
      );
      expect(tests, `add test/unit/${area}/decider.test.ts; test/unit/pois/decider.test.ts is an example`).to.not.be
        .empty;
    });
});
