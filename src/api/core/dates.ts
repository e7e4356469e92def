/** Schema of calendar dates in requests. */
import { z } from 'zod';

/** An existing calendar date. */
export const dateSchema = z.iso.date().describe('`YYYY-MM-DD`, in the timezone of the business.');
