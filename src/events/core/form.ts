/**
 * Value formats, as error messages show them. They are separate from descriptions, which explain the meaning of a
 * member.
 */
import { z } from 'zod';

const forms = z.registry<{ readonly form: string }>();

/** Attaches a format to the schema. It is kept if the schema later gets a description or becomes optional. */
export function formed<S extends z.ZodType>(schema: S, form: string): S {
  forms.add(schema, { form });
  return schema;
}

export const formOf = (schema: z.core.$ZodType): string | undefined => forms.get(schema)?.form;
