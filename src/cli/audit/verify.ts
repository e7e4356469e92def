/** `audit verify`: folds the whole log and tells where the read models say something else. */
import { PROJECTIONS } from '../../areas.js';
import { EXIT, readArgs, type Command } from '../command.js';
import { withEngines } from '../engines.js';
import { replayAndCompare } from './replay.js';

export const verify: Command = {
  name: 'verify',
  usage: '',
  summary: 'Fold the whole log and print every difference with the read models. Exit code 3 when there is one.',

  async run(args, context) {
    readArgs(args, [], {});
    return withEngines(context, { mustExist: true }, async (engines) => {
      let equal = true;
      for (const projection of PROJECTIONS) equal = (await replayAndCompare(projection, false, engines, context)) && equal;
      await context.print(`the log ends at ${(await engines.log.head()) || 'its start'}`);
      return equal ? EXIT.ok : EXIT.different;
    });
  },
};
