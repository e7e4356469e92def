/** As in access-matrix.test.ts, for other operations. */
import { testAccess } from '../../support/access/matrix.js';

describe('access to operations (C2), and equal responses over both interfaces (C8): part 2', () => testAccess(1));
