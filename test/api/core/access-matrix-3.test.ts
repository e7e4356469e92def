/** As in access-matrix.test.ts, for other operations. */
import { testAccess } from '../../support/access/matrix.js';

describe('who may call what (C2), and that both interfaces answer the same (C8): part 3', () => testAccess(2));
