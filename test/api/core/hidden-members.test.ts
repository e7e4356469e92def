/** Hidden members, part 1 of 2: see test/support/access/hidden/matrix.ts. */
import { testHiddenMembers } from '../../support/access/hidden/matrix.js';

describe('hidden members (GU3), part 1', () => testHiddenMembers(0));
