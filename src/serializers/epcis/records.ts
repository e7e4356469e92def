/** Type guards and accessors for parsed JSON. */

export type JsonRecord = { readonly [key: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the records of a list; an empty list if `value` is not a list. */
export const recordsOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Returns the strings of a list; an empty list if `value` is not a list. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
