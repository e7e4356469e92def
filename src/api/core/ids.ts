/** Integer ids in requests. An id above the range of the tables is rejected like any other number out of range. */
import { z } from 'zod';

export const MAX_ID = 2_147_483_647;
export const idSchema = z.int().min(1).max(MAX_ID);
