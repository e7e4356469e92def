/** Forms of texts as errors report them: apart from descriptions, which say what a member means. */
import { z } from 'zod';

const forms = z.registry<{ readonly form: string }>();

/** The schema with the form of its values, which stays when it is described or may be absent. */
export function formed<S extends z.ZodType>(schema: S, form: string): S {
  forms.add(schema, { form });
  return schema;
}

export const formOf = (schema: z.core.$ZodType): string | undefined => forms.get(schema)?.form;
