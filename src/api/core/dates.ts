/** Calendar dates as they come in. */
import { z } from 'zod';

/** A date that exists. */
export const dateSchema = z.iso.date().describe('`YYYY-MM-DD`, in the timezone of the business.');
