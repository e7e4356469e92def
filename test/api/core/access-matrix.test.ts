/**
 * Every operation in every role, on the caller's own and on other objects, over REST and GraphQL. The expectations are
 * in the table of test/support/access/table.ts (C2, G7). Three files divide the operations.
 */
import { expect } from 'chai';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { testAccess } from '../../support/access/matrix.js';
import { ACCESS } from '../../support/access/table.js';
import { missingRow, sourceOfRow } from '../../support/checks/source-locations.js';

describe('access to operations (C2), and equal responses over both interfaces (C8): part 1', () => {
  it('every operation has a row, and every row an operation', () => {
    const names = new Set(describeOperations().map(({ name, canonical = name }) => canonical));
    const HOW = 'test/support/access/table.ts explains the members of a row';
    const wrong = [
      ...[...names].filter((name) => !ACCESS[name]).map((name) => missingRow(name, HOW)),
      ...Object.keys(ACCESS)
        .filter((name) => !names.has(name))
        .map((name) => `${sourceOfRow(name)}: no operation is named ${name}. Remove or rename its row`),
      ...Object.entries(ACCESS)
        .filter(([, { foreign, shared }]) => Boolean(foreign) === Boolean(shared))
        .map(([name]) => `${sourceOfRow(name)}: the row ${name} must have either foreign or shared. ${HOW}`),
    ];
    expect(wrong, wrong.join('\n')).to.deep.equal([]);
  });

  testAccess(0);
});
