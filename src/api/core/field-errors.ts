/** Schema of a field error, for the API documents. */
import { z } from 'zod';

export const fieldErrorSchema = z
  .object({
    field: z.string().describe('Name of the member or query parameter.'),
    path: z.string().describe('JSON Pointer into the request.'),
    code: z.string(),
    message: z.string().describe('Explanation in the language of Accept-Language.'),
  })
  .meta({ id: 'FieldError', description: 'An error of a member or query parameter.' });
