/** `npm run seed`: the demo business, wherever the database is, and DATA_DIR/demo.json that says how to use it. */
import { join } from 'node:path';
import { readArgs, runProgram } from './command.js';
import { withWorkbench } from './engines.js';
import { publicAddress } from './public-address.js';
import { seedDemo } from '../compose/demo/demo.js';

await runProgram('seed', [
  {
    name: '',
    usage: '',
    summary: 'Seeds what is missing of the demo business, and writes DATA_DIR/demo.json with its keys.',

    async run(args, context) {
      readArgs(args, [], {});
      const { config } = context;
      return withWorkbench(context, async ({ engines, commands, progress, catchUp }) => {
        await seedDemo({ engines, commands, progress, baseUrl: publicAddress(config) }, config.dataDir);
        await catchUp();
        await context.print(join(config.dataDir, 'demo.json'));
      });
    },
  },
]);
