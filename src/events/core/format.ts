/**
 * Value formats, as error messages show them. They are separate from descriptions, which explain the meaning of a
 * member.
 */
import { z } from 'zod';

const formats = z.registry<{ readonly format: string }>();

/** Attaches a format to the schema. It is kept if the schema later gets a description or becomes optional. */
export function withFormat<S extends z.ZodType>(schema: S, format: string): S {
  formats.add(schema, { format });
  return schema;
}

export const formatOf = (schema: z.core.$ZodType): string | undefined => formats.get(schema)?.format;
