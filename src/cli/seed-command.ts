/** `npm run seed`: the demo business, wherever the database is, and DATA_DIR/demo.json that says how to use it. */
import { join } from 'node:path';
import { AREAS } from '../areas/index.js';
import { createIds } from '../engines/postgres/ids.js';
import { command } from './command.js';
import { withWorkbench } from './engines.js';
import { publicAddress } from './public-address.js';
import { seedDemo } from '../compose/demo/demo.js';

export const seed = command({
  name: '',
  summary: 'Seeds what is missing of the demo business, and writes DATA_DIR/demo.json with its keys.',

  async run(_given, context) {
    const { config } = context;
    return withWorkbench(context, async ({ engines, commands, progress, catchUp }) => {
      // The service makes them at its start, which may not have been yet.
      const ids = createIds(engines.pool);
      for (const { sequences } of AREAS) for (const { name } of sequences) await ids.prepare(name);
      await seedDemo({ engines, commands, progress, baseUrl: publicAddress(config) }, config.dataDir);
      await catchUp();
      await context.print(join(config.dataDir, 'demo.json'));
    });
  },
});
