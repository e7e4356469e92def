/**
 * Offline conversion of JSON-LD to RDF in safe mode. A term that expands to nothing, a relative IRI or a fetched
 * context is an error.
 */
import jsonld from 'jsonld';
import { Parser, type Quad } from 'n3';

/** Contexts by address; no other address may be requested. */
export type Contexts = Readonly<Record<string, unknown>>;

type SafeToRdf = (
  document: unknown,
  options: { safe: true; format: 'application/n-quads'; documentLoader: (url: string) => Promise<unknown> },
) => Promise<string>;

/** Rejects if the expansion would drop or guess anything. Another library parses the quads and checks the IRIs. */
export async function quadsOf(document: unknown, contexts: Contexts = {}): Promise<Quad[]> {
  const documentLoader = async (documentUrl: string) => {
    if (!(documentUrl in contexts)) throw new Error(`the document makes a reader fetch ${documentUrl}`);
    return { documentUrl, document: contexts[documentUrl] };
  };
  const text = await (jsonld.toRDF as unknown as SafeToRdf)(document, {
    safe: true,
    format: 'application/n-quads',
    documentLoader,
  });
  return new Parser({ format: 'N-Quads' }).parse(text);
}
