/** `log root`: prints the size and the root hash that identify the whole log. */
import { wholeLog } from '../../engines/transfer.js';
import { leafHashOf } from '../../events/tree/leaf.js';
import { MerkleTree } from '../../events/tree/merkle.js';
import { command, UsageError } from '../command.js';
import { progressNotes } from '../progress-notes.js';
import { withLog } from './source.js';

export const root = command({
  name: 'root',
  summary:
    'Print the number of events and their Merkle root (RFC 9162, SHA-256), for the log or its first --size events. Equal logs have equal roots on every engine.',

  options: {
    from: { value: '<address>', about: 'postgres:// or esdb://; default: the configured log.' },
    size: { value: '<events>', about: 'Number of events from the beginning.' },
  },

  async run({ values }, context) {
    const size = values.size === undefined ? Infinity : readSize(values.size);
    await withLog(values.from, context, async (log) => {
      const tree = new MerkleTree();
      const progress = progressNotes('root', context.note, size < Infinity ? size : undefined);
      if (size > 0) {
        for await (const event of wholeLog(log, context.signal)) {
          tree.append(leafHashOf(event));
          progress(tree.size);
          if (tree.size === size) break;
        }
      }
      if (size < Infinity && tree.size < size) throw new Error(`The log has only ${tree.size} events.`);
      await context.print(`${tree.size} ${tree.root().toString('hex')}`);
    });
  },
});

function readSize(text: string): number {
  const size = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(size)) throw new UsageError('--size requires a number of events.');
  return size;
}
