/**
 * Proof documents that can be verified without the service. Verification needs only the document and the public key.
 */
import { z } from 'zod';
import { evidenceSchema, inclusionOf } from './evidence.js';
import { leafHash } from './merkle.js';
import { verifyConsistency, verifyInclusion } from './merkle-proofs.js';
import { openHead } from './tree-head.js';

const hashes = z
  .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/))
  .max(128)
  .meta({ description: 'SHA-256 hashes in base64, in the order of RFC 9162.' });
const checkpoint = z.string().max(65_536).meta({ description: 'Signed tree head: an exact C2SP checkpoint.' });

export const inclusionProofSchema = z
  .object({
    kind: z.literal('inclusion'),
    leaf: z
      .string()
      .meta({
        description:
          'The event: RFC 8785 JSON of stream, revision, id, type, version, recorded_at, data and metadata as stored.',
      }),
    index: z.int().min(0),
    proof: hashes,
    checkpoint,
  })
  .meta({ id: 'InclusionProof' });
export type InclusionProof = z.infer<typeof inclusionProofSchema>;

export const consistencyProofSchema = z
  .object({ kind: z.literal('consistency'), first: checkpoint, second: checkpoint, proof: hashes })
  .meta({ id: 'ConsistencyProof' });
export type ConsistencyProof = z.infer<typeof consistencyProofSchema>;

export const proofSchema = z.discriminatedUnion('kind', [inclusionProofSchema, consistencyProofSchema, evidenceSchema]);
export type Proof = z.infer<typeof proofSchema>;

/** The proof is invalid. */
export class ProofFailed extends Error {
  override readonly name = 'ProofFailed';
}

/**
 * Verifies a proof, and returns a one-line statement of what it proves. Throws `ProofFailed`, and `BadNote` for a head
 * that none of `verifierKeys` signed.
 */
export function verifyProof(proof: Proof, verifierKeys: readonly string[]): string {
  if (proof.kind === 'evidence') return verifyProof(inclusionOf(proof), verifierKeys);
  const path = proof.proof.map((hash) => Buffer.from(hash, 'base64'));
  if (proof.kind === 'inclusion') {
    const { origin, size, root } = openHead(proof.checkpoint, verifierKeys);
    if (!verifyInclusion({ leaf: leafHash(proof.leaf), index: proof.index, size, proof: path, root }))
      throw new ProofFailed(`This event is not leaf ${proof.index} of the ${size} of ${origin}.`);
    return `${origin}: this event is leaf ${proof.index} of ${size}.`;
  }
  const first = openHead(proof.first, verifierKeys);
  const second = openHead(proof.second, verifierKeys);
  if (first.origin !== second.origin)
    throw new ProofFailed(`The heads belong to two logs: ${first.origin} and ${second.origin}.`);
  const holds = verifyConsistency({
    first: first.size,
    second: second.size,
    firstRoot: first.root,
    secondRoot: second.root,
    proof: path,
  });
  if (!holds)
    throw new ProofFailed(
      `The ${second.size} leaves of ${first.origin} do not begin with the first ${first.size} that were published.`,
    );
  return `${first.origin}: its ${second.size} leaves begin with the first ${first.size}, unchanged.`;
}

export const inBase64 = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('base64'));
