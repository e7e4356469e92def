/** `audit rebuild`: replays the log into a new read model, compares it with the live one, and replaces the live one. */
import { PROJECTIONS } from '../../areas/index.js';
import { command, EXIT, UsageError } from '../command.js';
import { withEngines } from '../engines.js';
import { replayAndCompare } from './replay.js';

const names = () => PROJECTIONS.map(({ name }) => name).join(', ');

export const rebuildReadModel = command({
  name: 'rebuild',
  summary: `Replay into a fresh read model, compare, switch: ${names()}. Exit code 3 when the old one differed; it is replaced all the same.`,

  args: ['projection'],

  async run({ positionals: [name] }, context) {
    const chosen = PROJECTIONS.filter((projection) => name === 'all' || projection.name === name);
    if (chosen.length === 0) throw new UsageError(`There is no projection ${name}; there are ${names()}.`);
    return withEngines(context, { mustExist: true }, async (engines) => {
      let equal = true;
      for (const projection of chosen) equal = (await replayAndCompare(projection, true, engines, context)) && equal;
      return equal ? EXIT.ok : EXIT.different;
    });
  },
});
