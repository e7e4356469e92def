/** `audit verify-proof`: verifies a proof with only the public key, without database and service. */
import { readFile } from 'node:fs/promises';
import { proofSchema, verifyProof } from '../../events/tree/proof-documents.js';
import { readVerifierKey } from '../../events/tree/signed-note.js';
import { command, UsageError } from '../command.js';

export const verifyProofFile = command({
  name: 'verify-proof',
  summary: 'Verify a proof of inclusion or consistency offline. Exit code 1 if it is not valid.',

  args: ['file'],
  options: { key: { value: '<verifier key>', about: 'Trusted key of heads; can be repeated.', multiple: true } },

  async run({ positionals: [file], values }, { print }) {
    const keys = readKeys(values.key);
    if (keys.length === 0) throw new UsageError('--key is missing.');
    await print(verifyProof(readProof(await readFile(file!, 'utf8')), keys));
  },
});

/** Throws `UsageError` for an invalid verifier key. */
export function readKeys(keys: readonly string[] = []): readonly string[] {
  for (const key of keys) {
    try {
      readVerifierKey(key);
    } catch (error) {
      throw new UsageError(`--key ${key}: ${(error as Error).message}`);
    }
  }
  return keys;
}

function readProof(text: string) {
  try {
    return proofSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('The file is not a proof of this service.');
  }
}
