/** Integer ids as they come in: what is larger than the tables hold is refused like any other number out of range. */
import { z } from 'zod';

export const MAX_ID = 2_147_483_647;
export const idSchema = z.int().min(1).max(MAX_ID);
