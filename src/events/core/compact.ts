/** Removes undefined members of an object: JSON omits them, and comparisons should too. */
export const compact = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
