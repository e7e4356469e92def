/**
 * Part of `audit verify`: hashes the log again. Reports events that differ from the hashed events, and heads that do
 * not match the log.
 */
import type { Engines } from '../../engines/open.js';
import { wholeLog } from '../../engines/transfer.js';
import { leafHashOf } from '../../events/tree/leaf.js';
import { MerkleTree } from '../../events/tree/merkle.js';
import { openHead } from '../../events/tree/tree-head.js';
import { headsBetween, latestHead, type PublishedHead } from '../../projections/tree/heads.js';
import { knownSigners } from '../../engines/postgres/known-keys.js';
import { openSigning } from '../../projections/tree/head-publisher.js';
import { differingTiles, storedLeaves, treeSize } from '../../projections/tree/tree-proofs.js';
import type { Context } from '../command.js';
import { progressNotes } from '../progress-notes.js';

/**
 * Maximum number of reported differences per kind; the others are only counted. A removed event shifts all later ones.
 */
const MAX_REPORTED = 20;

/**
 * Prints every difference and a final line. Returns true if there was none. `keys`: verifier keys of trusted heads;
 * empty: the keys of the service itself.
 */
export async function verifyTree(
  engines: Engines,
  keys: readonly string[],
  { print, note, signal }: Context,
): Promise<boolean> {
  const { pool, log } = engines;
  const started = Date.now();
  let differences = 0;
  const kind = () => {
    let found = 0;
    return async (text: string) => {
      differences++;
      if (++found <= MAX_REPORTED) await print(`log_tree: ${text}`);
    };
  };
  const [eventDiffers, headDiffers, treeDiffers] = [kind(), kind(), kind()];

  const last = await latestHead(pool);
  const stored = await treeSize(pool);
  const trusted = keys.length > 0 || !last ? keys : await ownKeys(engines, last, note);
  const heads = allHeads(engines, last);
  const leaves = storedLeaves(pool, stored);
  const tree = new MerkleTree();
  const progress = progressNotes('log_tree', note, stored);
  let checked = 0;
  let before = 0;
  let contradicted = false;
  let head = (await heads.next()).value;

  for await (const event of wholeLog(log, signal)) {
    const hash = leafHashOf(event);
    const leaf = (await leaves.next()).value;
    if (leaf && !leaf.equals(hash))
      await eventDiffers(
        `${event.stream} ${event.revision} (event ${event.id}, position ${event.position}) has changed since it became leaf ${tree.size}`,
      );
    tree.append(hash);
    for (; head?.size === tree.size; head = (await heads.next()).value) {
      const wrong = wrongWith(head, trusted);
      if (wrong)
        await headDiffers(`the head of ${head.size} events, published ${head.publishedAt.toISOString()}: ${wrong}`);
      // After the first contradiction, all later heads differ as a consequence.
      if (!contradicted && !head.root.equals(tree.root())) {
        contradicted = true;
        await headDiffers(
          `the head of ${head.size} events, published ${head.publishedAt.toISOString()}, differs from the log: root ${head.root.toString('hex')}, now ${tree.root().toString('hex')}; one of its events ${before} to ${head.size - 1} was changed, added or removed`,
        );
      }
      before = head.size;
      checked++;
    }
    progress(tree.size);
  }
  if (stored > tree.size) await treeDiffers(`the tree has ${stored} leaves, but the log has ${tree.size} events`);
  if (last && last.size > tree.size)
    await treeDiffers(`a head of ${last.size} events was published, but the log has ${tree.size}`);
  for await (const { level, index } of differingTiles(pool))
    await treeDiffers(`tile ${level}/${index} does not match the tiles below it`);

  const verdict = differences === 0 ? 'equal' : `${differences} ${differences === 1 ? 'difference' : 'differences'}`;
  await print(
    `log_tree: ${tree.size} events, ${stored} leaves, ${checked} published heads, ${((Date.now() - started) / 1_000).toFixed(2)} s, ${verdict}`,
  );
  return differences === 0;
}

async function ownKeys(
  { projectionPool, signingKey }: Engines,
  { key }: PublishedHead,
  note: (line: string) => void,
): Promise<string[]> {
  if (signingKey) {
    const { verifierKey } = (await openSigning(projectionPool, { key: signingKey, baseUrl: undefined })).signer;
    return [verifierKey, ...(await earlierKeys(projectionPool))];
  }
  note(
    'log_tree: the signatures are verified with the key that is stored next to them; pass a trusted key with --key.',
  );
  return [key];
}

/** Returns the verifier keys of earlier signing keys that the database lists as keys of this service. */
async function earlierKeys(pool: Engines['projectionPool']): Promise<string[]> {
  const signers = await knownSigners(pool);
  const { rows } = await pool.query<{ key: string }>('select distinct key from notary.heads');
  return rows.map(({ key }) => key).filter((key) => signers.some((signer) => signer.equals(publicPartOf(key))));
}

/** Decodes the public key from `name+id+base64 of the algorithm and the public key`. */
const publicPartOf = (verifierKey: string): Buffer =>
  Buffer.from(/\+[0-9a-f]{8}\+(.+)$/.exec(verifierKey)?.[1] ?? '', 'base64').subarray(1);

/** Returns the heads up to `last`, which existed at the start, in ascending order of size. */
async function* allHeads({ pool }: Engines, last: PublishedHead | undefined): AsyncGenerator<PublishedHead, undefined> {
  for (let after = 0; last && after < last.size;) {
    const page = await headsBetween(pool, after, last.size, 1_000);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.size;
  }
}

/** Returns what is wrong with the stored head; undefined if it is valid. */
function wrongWith({ note, size, root }: PublishedHead, keys: readonly string[]): string | undefined {
  try {
    const signed = openHead(note, keys);
    return signed.size === size && signed.root.equals(root)
      ? undefined
      : `its checkpoint states ${signed.size} events and root ${signed.root.toString('hex')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
