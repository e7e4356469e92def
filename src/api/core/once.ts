/** Computes a value at its first use and keeps it. For documents and schemas that many processes never serve. */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}
