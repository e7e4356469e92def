/** Hidden members, part 2 of 2: see test/support/access/hidden/matrix.ts. */
import { testHiddenMembers } from '../../support/access/hidden/matrix.js';

describe('hidden members (GU3), part 2', () => testHiddenMembers(1));
