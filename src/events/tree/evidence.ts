/**
 * One event with the complete proof that it is in the log. The document is for third parties without access to the
 * service or its code: a court, or an expert. `verify-evidence.mjs` checks it with Node only.
 */
import { z } from 'zod';
import { canonical } from './canonical.js';

const json = z.record(z.string(), z.unknown());

/** A loose object, so that GraphQL returns the document as one unchanged value: the hash covers these member names. */
export const evidenceSchema = z
  .looseObject({
    kind: z.literal('evidence'),
    explanation: z
      .array(z.string())
      .describe('Explanation of what this document proves, what it does not prove, and how to verify it.'),
    event: z
      .strictObject({
        stream: z.string(),
        revision: z.int(),
        id: z.string(),
        type: z.string(),
        version: z.int(),
        recorded_at: z.string(),
        data: json,
        metadata: json,
      })
      .describe('The event as stored, with personal data encrypted. Its RFC 8785 JSON is the leaf of the tree.'),
    index: z.int().min(0).describe('Index of the leaf.'),
    proof: z
      .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/))
      .max(128)
      .describe('SHA-256 hashes in base64 from the leaf to the root, in the order of RFC 9162.'),
    checkpoint: z.string().max(65_536).describe('The signed head: an exact C2SP checkpoint.'),
    verifier_key: z.string().max(1_024).describe('Public key of the head. Compare it with a key from another source.'),
    verifier: z.string().describe('Address of the program that verifies this document.'),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof evidenceSchema>;

/** The members of an inclusion proof. */
type Inclusion = Pick<Evidence, 'index' | 'proof' | 'checkpoint'> & { readonly leaf: string };

export const VERIFIER_PATH = '/verify-evidence.mjs';

/** `baseUrl`: address of the service that holds the log. */
export function evidenceOf(inclusion: Inclusion, verifierKey: string, baseUrl: string): Evidence {
  const event = JSON.parse(inclusion.leaf) as Evidence['event'];
  const verifier = `${baseUrl}${VERIFIER_PATH}`;
  return {
    kind: 'evidence',
    explanation: explanationOf(event, inclusion.index, verifier),
    event,
    index: inclusion.index,
    proof: inclusion.proof,
    checkpoint: inclusion.checkpoint,
    verifier_key: verifierKey,
    verifier,
  };
}

/** The inclusion proof of the same event. */
export const inclusionOf = ({ event, index, proof, checkpoint }: Evidence): Inclusion & { kind: 'inclusion' } => ({
  kind: 'inclusion',
  leaf: canonical(event),
  index,
  proof,
  checkpoint,
});

const explanationOf = (
  { stream, revision, type, recorded_at }: Evidence['event'],
  index: number,
  verifier: string,
): string[] => [
  `This is event ${revision} of the stream ${stream}, a ${type} that was recorded at ${recorded_at}, as the service stored it.`,
  `The service hashes every event into a tree and signs its root, the head, with its private key. The event is leaf ${index} of that tree: the event and the hashes in "proof" result in exactly the root in "checkpoint", and "verifier_key" is the public key of its signature. If one letter of the event, a hash, the head or the key changes, the verification fails.`,
  `To verify it, you need only a computer with Node.js 20 or later: save ${verifier} and run "node verify-evidence.mjs --key <verifier key> <this file>". The program uses no network.`,
  'Get the verifier key from another source than this document: a person who supplies both can sign anything. The same applies to the head: with a copy of it from that day, or of a later head, you can show that the log was not rewritten since.',
  'It proves that the log contained this event, in this place and with this content, when the head was signed. It does not prove that the recorded data is true, or that nothing else was recorded.',
  'Personal data is encrypted in "$sealed". It is part of the proven content and cannot be read from this document; the operator can decrypt it until the person is erased.',
];
