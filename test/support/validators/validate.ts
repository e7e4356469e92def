/** A validator of a platform. It returns the errors in a JSON value; an empty list if the platform would accept it. */
import type { z } from 'zod';

export type Validate = (value: unknown) => readonly string[];

export const bySchema =
  (schema: z.ZodType): Validate =>
  (value) => {
    const result = schema.safeParse(value);
    return result.success ? [] : result.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  };

/**
 * An SDK's model in its transmitted form: enums become their string values. Keeps the check for excess members in
 * `satisfies`.
 */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T]: Wire<T[Key]> }
    : T extends string
      ? `${T}`
      : T;
