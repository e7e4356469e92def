/** Computes a value at its first use and keeps it. For documents and schemas that many processes never serve. */
export function once<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: make() }).value;
}
