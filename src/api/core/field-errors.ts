/** Schema of a field error, for the API documents. */
import { z } from 'zod';

export const fieldErrorSchema = z
  .object({
    field: z.string().describe('Name of the member or query parameter.'),
    path: z.string().describe('JSON Pointer into the request.'),
    code: z.string(),
    message: z.string().describe('In the language of Accept-Language.'),
  })
  .meta({ id: 'FieldError', description: 'A wrong member or query parameter.' });
