/** Codes of return reasons in requests. */
import { z } from 'zod';

export const returnReasonCode = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Code of the reason, for example `damaged`.');
