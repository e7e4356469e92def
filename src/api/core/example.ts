/** Examples of request bodies: written once next to an area's operations, shown in all documents, tried on the demo. */

export interface Example {
  /** Who sends it: a key of `demo.json`'s users, or the provider; absent: the client admin. */
  readonly as?: 'provider' | 'platform_admin' | 'broker' | 'driver' | 'other_client_admin';
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** By the names of operations. */
export type Examples = Readonly<Record<string, Example>>;

/** The operations, each with its example. Throws a sentence for an example of an operation that is not among them. */
export function withExamples<O extends { readonly name: string }>(
  operations: readonly O[],
  examples: Examples = {},
): readonly O[] {
  for (const name of Object.keys(examples))
    if (!operations.some((operation) => operation.name === name))
      throw new Error(
        `There is an example of ${name}, but no such operation in the area: rename one of them (src/api/areas/<area>/examples.ts, \`name\` in operations.ts).`,
      );
  return operations.map((operation) => {
    const example = examples[operation.name];
    return example ? { ...operation, example } : operation;
  });
}
