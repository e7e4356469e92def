/** `npm run bench [-- quick]`: every figure as a ratio to a limit or a peer that is measured in the same run. */
import { cpus, totalmem } from 'node:os';
import { openDatabases } from './support.js';
import { measureEpcis } from './epcis.js';
import { measureSerializers } from './serializers.js';
import { measureSpine } from './spine.js';
import { printTable } from './table.js';

const PRESETS = {
  full: { rounds: 5, requests: 400, duration: 4, preloaded: 1_000_000 },
  quick: { rounds: 3, requests: 100, duration: 2, preloaded: 100_000 },
};

const preset = PRESETS[process.argv[2] === 'quick' ? 'quick' : 'full'];
const databases = await openDatabases();
try {
  process.stdout.write(`${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${preset.rounds} interleaved rounds; the load generator shares the cores\n`);
  printTable('Spine', await measureSpine(databases, preset));
  printTable('Formats', [...(await measureSerializers(preset)), ...(await measureEpcis(databases, preset))]);
} finally {
  await databases.close();
}
