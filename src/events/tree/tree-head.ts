/**
 * A head of the log's Merkle tree as a checkpoint (https://c2sp.org/tlog-checkpoint). It commits to the first `size`
 * events.
 */
import { BadNote, openNote, type Signer } from './signed-note.js';

export interface TreeHead {
  /** Name of the log. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

export const signHead = ({ origin, size, root }: TreeHead, signer: Signer): string =>
  signer.sign(`${origin}\n${size}\n${root.toString('base64')}\n`);

/** The head of a checkpoint that one of `verifierKeys` signed under the log's name. Throws `BadNote`. */
export function openHead(checkpoint: string, verifierKeys: readonly string[]): TreeHead {
  const { text, name } = openNote(checkpoint, verifierKeys);
  const head = headOf(text);
  if (head.origin !== name) throw new BadNote(`The checkpoint belongs to ${head.origin}, but ${name} signed it.`);
  return head;
}

function headOf(text: string): TreeHead {
  const [, origin, digits, encoded] = /^(.+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:.+\n)*$/.exec(text) ?? [];
  const size = Number(digits);
  if (origin === undefined || encoded === undefined || !Number.isSafeInteger(size))
    throw new BadNote('The text is not a checkpoint.');
  return { origin, size, root: Buffer.from(encoded, 'base64') };
}
