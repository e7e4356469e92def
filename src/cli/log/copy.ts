/** `log copy`: copies the event log to another engine. */
import { openLog } from '../../engines/open-log.js';
import { transfer, wholeLog } from '../../engines/transfer.js';
import { command, UsageError } from '../command.js';
import { progressNotes } from '../progress-notes.js';
import { readAddress, withLog } from './source.js';

export const copy = command({
  name: 'copy',
  summary:
    'Copy the event log (--from: absent, that of the configuration) to another engine, in its order, and compare the Merkle roots. Goes on where an earlier run stopped; refuses a target that holds other events.',

  options: {
    from: { value: '<address>', about: 'postgres:// or esdb://; default: the configured log.' },
    to: { value: '<address>', about: 'postgres:// or esdb://' },
  },

  async run({ values }, context) {
    if (values.to === undefined) throw new UsageError('--to is missing.');
    const to = readAddress('--to', values.to);
    if (to === values.from) throw new UsageError('--from and --to name the same log.');
    await withLog(values.from, context, async (source) => {
      const target = await openLog(to, { create: true });
      try {
        const { events, before, root } = await transfer(wholeLog(source, context.signal), target, {
          signal: context.signal,
          onProgress: progressNotes('copy', context.note),
        });
        if (before > 0) context.note(`${before} events were already there`);
        await context.print(`${events} ${root.toString('hex')}`);
      } finally {
        await target.close();
      }
    });
  },
});
