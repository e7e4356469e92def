/** A JSON-LD `@context` read as what it is allowed to be here: a map of prefixes. No address in it is ever fetched. */
import { isRecord } from './records.js';
import { GS1_PREFIXES, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

export type Prefixes = ReadonlyMap<string, string>;

/** What a document without declarations of its own may use: the GS1 prefixes and ours. */
export const DEFAULT_PREFIXES: Prefixes = new Map([...GS1_PREFIXES, [OTEP_PREFIX, OTEP_NAMESPACE]]);

/**
 * The prefixes that hold inside `context`, on top of those around it. The GS1 ones are protected: a declaration cannot
 * change them.
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

/** `prefix:name` as the URI it stands for; anything else, a name of an unknown prefix included, comes back as it is. */
export function expand(name: string, prefixes: Prefixes): string {
  const colon = name.indexOf(':');
  if (colon <= 0 || name.startsWith('//', colon + 1)) return name;
  const iri = prefixes.get(name.slice(0, colon));
  return iri === undefined ? name : iri + name.slice(colon + 1);
}
