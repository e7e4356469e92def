/** `npm run seed`: creates the demo business in any database, and writes DATA_DIR/demo.json with its access data. */
import { join } from 'node:path';
import { AREAS } from '../areas/index.js';
import { createIds } from '../engines/postgres/ids.js';
import { command } from './command.js';
import { withWorkbench } from './engines.js';
import { publicAddress } from './public-address.js';
import { seedDemo } from '../compose/demo/demo.js';

export const seed = command({
  name: '',
  summary: 'Create missing demo data, and write its keys to DATA_DIR/demo.json.',

  async run(_given, context) {
    const { config } = context;
    return withWorkbench(context, async ({ engines, commands, progress, catchUp }) => {
      // The service creates the sequences at its start, but it may not have been started yet.
      const ids = createIds(engines.pool);
      for (const { sequences } of AREAS) for (const { name } of sequences) await ids.prepare(name);
      await seedDemo({ engines, commands, progress, baseUrl: publicAddress(config) }, config.dataDir);
      await catchUp();
      await context.print(join(config.dataDir, 'demo.json'));
    });
  },
});
