/** Scopes acceptance 2: scopes, profiles and the scopes of roles equal the table of the design. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROFILES, ROLE_SCOPES, SCOPES, type Scope } from '../../../src/api/core/scopes.js';
import { USER_ROLES, type UserRole } from '../../../src/events/accounts/events.js';
import { skip } from '../../support/run-summary.js';

const TABLE = join(process.env['SHARED_DIR'] ?? '../shared', 'areas/mechanisms/scopes.md');

/** Scopes of every role: the user's keys and sessions. A connection with narrowed scopes lacks them. */
const OWN: readonly Scope[] = ['keys:write', 'sessions:write'];
/** Scopes that the code adds to the table, with the reason. */
const MORE: Partial<Record<UserRole, readonly Scope[]>> = {
  // Agents of these roles create proposals, and the proposer must be able to read the outcome.
  broker: ['approvals:read'],
  customer: ['approvals:read'],
};
/** Scopes of features that are not built yet: no operation that the role may call uses them. */
const NOT_YET: Partial<Record<UserRole, readonly Scope[]>> = {
  // For counts of catalogue stock.
  employee: ['catalogue:write'],
};

describe('scopes', () => {
  const granted = new Map<string, Set<UserRole>>();
  before(function () {
    if (!existsSync(TABLE)) return skip(this, 'no table of scopes (SHARED_DIR)');
    const rows = readFileSync(TABLE, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const roles = rows[0]!.slice(2, -2) as UserRole[];
    expect([...roles].sort()).to.deep.equal([...USER_ROLES].sort());
    for (const [, name, ...cells] of rows.slice(2))
      granted.set(name!.replace(' +', ''), new Set(roles.filter((_, index) => cells[index] !== '')));
  });

  it('are in the table, separate from those of every role, and all in the profile `full`', () => {
    const known = SCOPES.filter((scope) => !OWN.includes(scope));
    expect(known.filter((scope) => !granted.has(scope))).to.deep.equal([]);
    expect(PROFILES.full).to.deep.equal(SCOPES);
  });

  for (const role of USER_ROLES)
    it(`of the role ${role} equal those of the table`, () => {
      const inTable = SCOPES.filter((scope) => granted.get(scope)?.has(role));
      const holds = new Set([...inTable, ...OWN, ...(MORE[role] ?? [])]);
      const expected = [...holds].filter((scope) => !NOT_YET[role]?.includes(scope));
      expect([...ROLE_SCOPES[role]].sort()).to.deep.equal([...expected].sort());
    });
});
