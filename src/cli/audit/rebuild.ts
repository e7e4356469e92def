/** `audit rebuild`: replays the log into a new read model, compares it with the live one, and replaces the live one. */
import { PROJECTIONS } from '../../areas/index.js';
import { command, EXIT, UsageError } from '../command.js';
import { withEngines } from '../engines.js';
import { replayAndCompare } from './replay.js';

const names = () => PROJECTIONS.map(({ name }) => name).join(', ');

export const rebuildReadModel = command({
  name: 'rebuild',
  summary: `Rebuild read models from the log, compare them with the current read models and replace the current read models: ${names()}. Exit code 3 if they differed.`,

  args: ['projection'],

  async run({ positionals: [name] }, context) {
    const chosen = PROJECTIONS.filter((projection) => name === 'all' || projection.name === name);
    if (chosen.length === 0)
      throw new UsageError(`The projection ${name} does not exist; the projections are ${names()}.`);
    return withEngines(context, { mustExist: true }, async (engines) => {
      let equal = true;
      for (const projection of chosen) equal = (await replayAndCompare(projection, true, engines, context)) && equal;
      return equal ? EXIT.ok : EXIT.different;
    });
  },
});
