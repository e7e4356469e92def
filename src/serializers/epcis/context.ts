/**
 * Reads a JSON-LD `@context` as a map of prefixes, the only form that is supported here. Addresses in it are never
 * fetched.
 */
import { isRecord } from './records.js';
import { GS1_PREFIXES, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

export type Prefixes = ReadonlyMap<string, string>;

/** Prefixes that a document may use without declaring them: the prefixes of GS1 and of OTEP. */
export const DEFAULT_PREFIXES: Prefixes = new Map([...GS1_PREFIXES, [OTEP_PREFIX, OTEP_NAMESPACE]]);

/**
 * Returns the prefixes that are valid inside `context`: its own declarations on top of `outer`. The GS1 prefixes are
 * protected, so a declaration cannot change them.
 */
export function prefixesOf(context: unknown, outer: Prefixes = DEFAULT_PREFIXES): Prefixes {
  let inner: Map<string, string> | undefined;
  for (const part of Array.isArray(context) ? context : [context]) {
    if (!isRecord(part)) continue;
    for (const name in part) {
      const iri = iriOf(part[name]);
      if (iri !== undefined && !GS1_PREFIXES.has(name)) (inner ??= new Map(outer)).set(name, iri);
    }
  }
  return inner ?? outer;
}

/** A prefix is a string, or a term definition with `@id`. */
function iriOf(definition: unknown): string | undefined {
  const iri = isRecord(definition) ? definition['@id'] : definition;
  return typeof iri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:./.test(iri) ? iri : undefined;
}

/**
 * Expands `prefix:name` to the full URI. Any other text is returned unchanged, including a name with an unknown prefix.
 */
export function expand(name: string, prefixes: Prefixes): string {
  const colon = name.indexOf(':');
  if (colon <= 0 || name.startsWith('//', colon + 1)) return name;
  const iri = prefixes.get(name.slice(0, colon));
  return iri === undefined ? name : iri + name.slice(colon + 1);
}
