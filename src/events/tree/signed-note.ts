/** Signed notes (https://c2sp.org/signed-note) with Ed25519. Tools of other transparency logs can verify them. */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

const ED25519 = 1;
/** DER prefix of an Ed25519 key before its 32 bytes (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
/** The number that every verifier must accept; notes of this service are never longer. */
const MAX_SIGNATURES = 16;

/** The note or the key is invalid. */
export class BadNote extends Error {
  override readonly name = 'BadNote';
}

export interface Signer {
  /** Data for verifiers: name, key id and public key, `<name>+<8 hexadecimal digits>+<base64>`. */
  readonly verifierKey: string;
  /**
   * Creates the note: `text`, which must end with a newline, and one signature. The same text always gives the same
   * note.
   */
  sign(text: string): string;
}

interface Verifier {
  readonly name: string;
  readonly id: Buffer;
  readonly key: KeyObject;
}

/**
 * Creates a signer for `name` with the private key of 32 bytes (the seed of RFC 8032). Throws `BadNote` for a name that
 * is not allowed in a note.
 */
export function createSigner(name: string, seed: Buffer): Signer {
  if (!isName(name)) throw new BadNote(`Not the name of a key: ${name}`);
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' });
  const open = publicKeyOf(seed);
  const id = keyId(name, open);
  return {
    verifierKey: `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(ED25519), open]).toString('base64')}`,
    sign(text) {
      checkText(text);
      return `${text}\n\u2014 ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64')}\n`;
    },
  };
}

/** The 32 bytes of the public key. */
export function publicKeyOf(seed: Buffer): Buffer {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE, seed]), format: 'der', type: 'pkcs8' });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC.length);
}

/**
 * Returns the text of the note, and the name of the key that signed it. Throws `BadNote` unless one of `verifierKeys`
 * signed it, and if a signature of one of them is invalid.
 */
export function openNote(
  note: string,
  verifierKeys: readonly string[],
): { readonly text: string; readonly name: string } {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new BadNote('The note has no signature.');
  const text = note.slice(0, end + 1);
  checkText(text);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) throw new BadNote('The note has too many signatures.');
  const verifiers = verifierKeys.map(readVerifierKey);
  let signed: string | undefined;
  for (const line of lines) {
    const [, name, encoded] = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded ?? '', 'base64');
    // Only the canonical base64 is accepted: otherwise unused bits could be changed unnoticed.
    if (name === undefined || !isName(name) || bytes.length < 5 || bytes.toString('base64') !== encoded)
      throw new BadNote('A signature is malformed.');
    const known = verifiers.find((verifier) => verifier.name === name && verifier.id.equals(bytes.subarray(0, 4)));
    if (!known) continue;
    if (!verify(null, Buffer.from(text), known.key, bytes.subarray(4)))
      throw new BadNote(`The signature of ${name} does not match its key.`);
    signed = name;
  }
  if (signed === undefined) throw new BadNote('No trusted key signed the note.');
  return { text, name: signed };
}

/** Throws `BadNote`. */
export function readVerifierKey(text: string): Verifier {
  // The base64 of the key may contain a plus sign.
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (!isName(name) || bytes.length !== 33 || bytes[0] !== ED25519 || bytes.toString('base64') !== encoded)
    throw new BadNote('Not a verifier key of Ed25519: <name>+<id>+<key>.');
  const open = bytes.subarray(1);
  if (keyId(name, open).toString('hex') !== id)
    throw new BadNote('The id of the verifier key does not match its name and key.');
  return {
    name,
    id: Buffer.from(id, 'hex'),
    key: createPublicKey({ key: Buffer.concat([PUBLIC, open]), format: 'der', type: 'spki' }),
  };
}

const keyId = (name: string, open: Buffer): Buffer =>
  createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(open).digest().subarray(0, 4);

/** Whether a key may have this name: it must not contain spaces or plus signs. */
export const isName = (name: string): boolean => /^[^\s+\p{Cc}]+$/u.test(name);

function checkText(text: string): void {
  if (!text.endsWith('\n') || /[\x00-\x09\x0b-\x1f]/.test(text) || !text.isWellFormed())
    throw new BadNote('The text of a note must end with a newline and contain no other control characters.');
}
