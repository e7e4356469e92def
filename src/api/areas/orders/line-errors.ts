/** Errors of a table line in responses. */
import { z } from 'zod';
import type { Language } from '../../core/messages/index.js';
import { fieldErrorSchema } from '../../core/field-errors.js';
import { explained, localizeField } from '../../core/problem.js';
import type { Outcome } from './results.js';

export interface LineError {
  readonly line: number;
  readonly failed: Extract<Outcome, { readonly failed: unknown }>['failed'];
}

export const lineErrorSchema = z
  .object({
    line: z.int().describe('Line number in the file; the header is line 1.'),
    code: z.string(),
    message: z.string(),
    errors: z.array(fieldErrorSchema),
  })
  .meta({ id: 'LineError' });

export const toLineError = ({ line, failed }: LineError, language: Language): z.infer<typeof lineErrorSchema> => ({
  line,
  code: failed.code,
  message: explained(failed, language),
  errors: failed.errors.map((error) => localizeField(error, language)) as z.infer<typeof lineErrorSchema>['errors'],
});
