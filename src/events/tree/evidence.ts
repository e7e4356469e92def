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
    explanation: z.array(z.string()).describe('What this document shows, what not, and how to check it.'),
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
      .describe('As it is stored: what is personal stays sealed. Its RFC 8785 JSON is the leaf of the tree.'),
    index: z.int().min(0).describe('Of the leaf.'),
    proof: z
      .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/))
      .max(128)
      .describe('SHA-256 hashes in base64 from the leaf to the root, in the order of RFC 9162.'),
    checkpoint: z.string().max(65_536).describe('The signed head: a C2SP checkpoint, to the letter.'),
    verifier_key: z
      .string()
      .max(1_024)
      .describe('Public key of the head. Compare it with one that came by another way.'),
    verifier: z.string().describe('Where the program is that checks this document.'),
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
  `The service hashes every event into a tree and signs its root, the head, with its private key. The event is leaf ${index} of that tree: the event and the hashes under "proof" give exactly the root that stands in "checkpoint", and "verifier_key" is the public key of its signature. Change one letter of the event, a hash, the head or the key, and this no longer holds.`,
  `To check it, take a computer with Node.js 20 or later and nothing else: save ${verifier} and run "node verify-evidence.mjs --key <verifier key> <this file>". Nothing is asked over the network.`,
  'Take the verifier key from somebody other than who gave you this document: who makes both can sign anything. The same holds for the head: who kept it from that day, or one that is later, can show that the log was not rewritten since.',
  'What it shows: this event stood in the log, in this place and with these contents, when the head was signed. What it does not show: that what was recorded is true, or that nothing else was recorded.',
  'Personal data stands under "$sealed", encrypted. It is a part of what is proven and cannot be read from this document; the operator can open it until the person is erased.',
];
