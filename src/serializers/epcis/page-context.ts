/**
 * The `@context` of a query document whose events come from several documents. Events are returned as they were
 * received, so the contexts of their documents are joined. Addresses in them are never fetched.
 */
import { isRecord } from './records.js';
import { EPCIS_CONTEXT, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

/** Whether a part of a context is the address of the context of EPCIS 2.0, in any revision. */
export const isStandardContext = (part: unknown): boolean =>
  typeof part === 'string' &&
  /^https?:\/\/(?:ref\.)?gs1\.org\/standards\/epcis\/(?:[\w.-]+\/)*epcis-context\.jsonld$/.test(part);

/** The context of events that this service writes. */
export const OWN_CONTEXT: readonly unknown[] = [{ [OTEP_PREFIX]: OTEP_NAMESPACE }];

export interface PageContext {
  /**
   * Adds the context of an event. Returns false, without a change, if a term has another meaning in the context of an
   * earlier event: the two events cannot be in one document.
   */
  add(context: readonly unknown[]): boolean;
  /** The `@context` of the document. */
  toContext(): readonly unknown[];
}

export function createPageContext(): PageContext {
  const others: string[] = [];
  const terms = new Map<string, unknown>();
  return {
    add(context) {
      const added = context.filter(isRecord).flatMap((part) => Object.entries(part));
      const joined = new Map(terms);
      for (const [name, meaning] of added) {
        if (joined.has(name) && JSON.stringify(joined.get(name)) !== JSON.stringify(meaning)) return false;
        joined.set(name, meaning);
      }
      for (const [name, meaning] of joined) terms.set(name, meaning);
      for (const part of context) if (typeof part === 'string' && !others.includes(part)) others.push(part);
      return true;
    },
    toContext: () => [EPCIS_CONTEXT, ...others, { [OTEP_PREFIX]: OTEP_NAMESPACE, ...Object.fromEntries(terms) }],
  };
}
