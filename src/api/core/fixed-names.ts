/**
 * The specification fixes some names and addresses that do not follow the style of the API. Such an operation is
 * defined under the name and address of the style, and served under both.
 */
import type { Operation } from './operation.js';

/**
 * The operations, each followed by a copy under the name and address that the specification fixes, if there are any.
 */
export const withFixedNames = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((operation) => {
    const { fixed, ...canonical } = operation;
    if (!fixed) return [operation];
    const { name, method, path, restOnly = false } = fixed;
    return [
      canonical,
      { ...canonical, name, rest: { ...canonical.rest, method, path }, canonical: canonical.name, restOnly },
    ];
  });
