/** `audit verify`: replays the whole log and reports differences of the read models and of the published heads. */
import { PROJECTIONS } from '../../areas/index.js';
import { logTree } from '../../projections/tree/log-tree.js';
import { command, EXIT } from '../command.js';
import { withEngines } from '../engines.js';
import { replayAndCompare } from './replay.js';
import { readKeys } from './verify-proof.js';
import { verifyTree } from './verify-tree.js';

export const verify = command({
  name: 'verify',
  summary:
    'Replay the whole log and print every difference from the read models, the tree of the log and the published heads. Heads are verified with --key or the configured or stored key. Exit code 3 if there is a difference.',

  options: { key: { value: '<verifier key>', about: 'Trusted key of heads; can be repeated.', multiple: true } },

  async run({ values }, context) {
    const keys = readKeys(values.key);
    return withEngines(context, { mustExist: true }, async (engines) => {
      let equal = await verifyTree(engines, keys, context);
      // The log tree was already compared above, event by event.
      for (const projection of PROJECTIONS.filter(({ name }) => name !== logTree.name))
        equal = (await replayAndCompare(projection, false, engines, context)) && equal;
      await context.print(`the log ends at ${(await engines.log.head()) || 'its start'}`);
      return equal ? EXIT.ok : EXIT.different;
    });
  },
});
