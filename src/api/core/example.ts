/**
 * Examples of request bodies. Each is defined once next to an area's operations, appears in all API documents, and runs
 * against the demo data.
 */

export interface Example {
  /** Sender of the request: a key of the users in `demo.json`, or the provider; absent: the client admin. */
  readonly as?: 'provider' | 'platform_admin' | 'broker' | 'driver' | 'customer' | 'other_client_admin';
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Examples by the names of operations. */
export type Examples = Readonly<Record<string, Example>>;

/** Adds each operation's example to it. Throws if an example has no operation. */
export function withExamples<O extends { readonly name: string }>(
  operations: readonly O[],
  examples: Examples = {},
): readonly O[] {
  for (const name of Object.keys(examples))
    if (!operations.some((operation) => operation.name === name))
      throw new Error(
        `The examples contain ${name}, but the area has no operation of that name: rename one of them (src/api/areas/<area>/examples.ts, \`name\` in operations.ts).`,
      );
  return operations.map((operation) => {
    const example = examples[operation.name];
    return example ? { ...operation, example } : operation;
  });
}
