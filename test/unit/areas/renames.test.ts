import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { describeOperations } from '../../../src/compose/describe-operations.js';

/** Names and addresses (`METHOD path`) of the operations before they were renamed. */
const BEFORE = 'test/fixtures/operations-of-854f35a.json';
const ROW = /^\| `(\w+)` \| `([A-Z]+ \S+)` \| `(\w+)` \| `([A-Z]+ \S+)` \|$/gm;

describe('docs/renames.md', () => {
  it('lists every operation whose name or address changed, and no other', async () => {
    const now = new Map(
      describeOperations().map(({ name, rest: { method, path } }) => [
        name,
        `${method.toUpperCase()} ${path.replace(/[:*](\w+)/g, '{$1}')}`,
      ]),
    );
    const rows = [...(await readFile('docs/renames.md', 'utf8')).matchAll(ROW)].map(([, ...cells]) => cells);
    const before = Object.entries(JSON.parse(await readFile(BEFORE, 'utf8')) as Record<string, string>);
    for (const [name, address] of before) {
      const row = rows.find(([old]) => old === name);
      if (!row) expect(now.get(name), `${name} has no row`).to.equal(address);
      else expect(row[1], `the old address of ${name}`).to.equal(address);
    }
    for (const [old, , name, address] of rows) expect(now.get(name!), `the new address of ${old}`).to.equal(address);
  });
});
