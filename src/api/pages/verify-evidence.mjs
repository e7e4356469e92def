#!/usr/bin/env node
// @ts-check
/**
 * Verifies one evidence document (kind "evidence") without the service that created it, without the service's code, and
 * without a network. Save this file and run
 *
 *   node verify-evidence.mjs [--key <verifier key>]... evidence.json
 *
 * Requires Node.js 20 or later and nothing else. Exit codes: 0 if the evidence is valid, 1 with the reason if it is
 * not, 2 for wrong arguments.
 *
 * 1. The canonical JSON of the event (RFC 8785) is hashed as a leaf (RFC 9162, 2.1.1: SHA-256 of a zero byte and the
 *    leaf).
 * 2. The hashes in `proof` lead from the leaf to a root (RFC 9162, 2.1.3.2), which must be the root of the head.
 * 3. The head is a signed note (https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint). It must have the
 *    Ed25519 signature of a trusted key.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

class DoesNotHold extends Error {}
/** @returns {never} */
const refuse = (/** @type {string} */ why) => {
  throw new DoesNotHold(why);
};

/** RFC 8785: members in the order of their UTF-16 code units; numbers and strings as in ECMAScript. */
const canonical = (/** @type {any} */ value) =>
  Array.isArray(value)
    ? `[${value.map(canonical).join()}]`
    : value !== null && typeof value === 'object'
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join()}}`
      : JSON.stringify(value);

const sha256 = (/** @type {(string | Uint8Array)[]} */ ...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const leafHash = (/** @type {string} */ leaf) => sha256(Uint8Array.of(0), leaf);
const nodeHash = (/** @type {Buffer} */ left, /** @type {Buffer} */ right) => sha256(Uint8Array.of(1), left, right);

/**
 * The root that follows from leaf `index` of `size` and its path; undefined if the path has the wrong length.
 *
 * @param {{ leaf: Buffer; index: number; size: number; path: Buffer[] }} given
 */
function rootOf({ leaf, index, size, path }) {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    } else {
      hash = nodeHash(hash, sibling);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
}

/** `<name>+<8 hexadecimal digits>+<base64 of 1 and the 32 bytes of the key>`. @param {string} text */
function readKey(text) {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1) refuse('the verifier key is malformed.');
  if (sha256(`${name}\n`, bytes).subarray(0, 4).toString('hex') !== id)
    refuse('the id of the verifier key does not match its name and key: the key was changed.');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
}

/** Origin, size and root of a head that one of the keys has signed. @param {string} note @param {string[]} keys */
function openHead(note, keys) {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const verifiers = keys.map(readKey);
  const signatures = note
    .slice(end + 2)
    .split('\n')
    .filter(Boolean);
  if (end < 0 || !note.endsWith('\n') || signatures.length > 16) refuse('the head has no signature.');
  const signers = signatures.flatMap((line) => {
    const [, name, encoded = ''] = /^\u2014 (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    if (bytes.length < 5 || bytes.toString('base64') !== encoded) refuse('a signature of the head is damaged.');
    const known = verifiers.find((one) => one.name === name && one.id === bytes.subarray(0, 4).toString('hex'));
    if (known && !verify(null, Buffer.from(text), known.key, bytes.subarray(4)))
      refuse(`the signature of the head does not belong to ${name}: the head or the signature was changed.`);
    return known ? [known.name] : [];
  });
  if (signers.length === 0) refuse('no trusted key signed the head.');
  const [, origin = '', digits = '', encoded = ''] =
    /^(.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:.+\n)*$/.exec(text) ?? [];
  if (!signers.includes(origin)) refuse(`the head names the log "${origin}", but another key signed it.`);
  return { origin, size: Number(digits), root: Buffer.from(encoded, 'base64') };
}

/**
 * The content of valid evidence. @param {any} evidence @param {string[]} trusted Keys; none: the key in the document.
 */
function check(evidence, trusted) {
  const { kind, event, index, proof, checkpoint, verifier_key } = evidence ?? {};
  const isHash = (/** @type {unknown} */ hash) => typeof hash === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(hash);
  if (
    kind !== 'evidence' ||
    typeof event !== 'object' ||
    event === null ||
    !Number.isSafeInteger(index) ||
    !Array.isArray(proof) ||
    proof.length > 128 ||
    !proof.every(isHash) ||
    typeof checkpoint !== 'string' ||
    typeof verifier_key !== 'string'
  )
    refuse('this is not an evidence document, or a part of it is missing.');
  if (trusted.length > 0 && !trusted.includes(verifier_key))
    refuse('the verifier key in the document is not a trusted key.');
  const { origin, size, root } = openHead(checkpoint, trusted.length > 0 ? trusted : [verifier_key]);
  if (index < 0 || index >= size) refuse(`there is no leaf ${index} in a log of ${size} events.`);
  const path = proof.map((/** @type {string} */ hash) => Buffer.from(hash, 'base64'));
  const found = rootOf({ leaf: leafHash(canonical(event)), index, size, path });
  if (!found?.equals(root))
    refuse(`this event is not number ${index} of the signed log: the event, its place, or a hash was changed.`);
  return { origin, size, event, index };
}

/** @param {string[]} args */
function main(args) {
  /** @type {string[]} */
  const keys = [];
  /** @type {string[]} */
  const files = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--key') keys.push(args[++at] ?? '');
    else files.push(arg);
  }
  const [file] = files;
  if (file === undefined || files.length > 1 || file.startsWith('-') || keys.includes('')) {
    console.error('node verify-evidence.mjs [--key <verifier key>]... evidence.json');
    return 2;
  }
  try {
    const { origin, size, event, index } = check(JSON.parse(readFileSync(file, 'utf8')), keys);
    console.log(`The evidence is valid. Event ${index} of the ${size} in the log ${origin}:`);
    console.log(`  ${event.type}, event ${event.revision} of ${event.stream}, recorded at ${event.recorded_at}`);
    if (keys.length === 0)
      console.log(
        'The key is the one in the document. Compare it with a key from another source, or pass that key: --key',
      );
    return 0;
  } catch (error) {
    console.error(`The evidence is not valid: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
