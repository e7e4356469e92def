/**
 * `npm run bench [-- quick] [routes | scans]`: every figure as a ratio to a limit or a peer that is measured in the same
 * run. `routes`, `scans`: these rows alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { openDatabases } from './support.js';
import { measureAppends } from './appends.js';
import { measureAssignments } from './assignments.js';
import { measureEpcis } from './epcis.js';
import { measureMcp } from './mcp.js';
import { measureProcesses } from './processes.js';
import { measureReadsBesidePlans } from './reading-beside.js';
import { measureRoutes } from './routes.js';
import { measureScans } from './scans.js';
import { measureSerializers } from './serializers.js';
import { measureSpine } from './spine.js';
import { printTable } from './table.js';

const PRESETS = {
  full: { rounds: 5, requests: 400, duration: 4, preloaded: 1_000_000, relayed: 100_000 },
  quick: { rounds: 3, requests: 100, duration: 2, preloaded: 100_000, relayed: 10_000 },
};

const asked = process.argv.slice(2);
const preset = PRESETS[asked.includes('quick') ? 'quick' : 'full'];
const alone = asked.find((name) => name === 'routes' || name === 'scans');
const scans = () => measureScans(databases, { ...preset, scans: preset.requests * 10 });
const databases = await openDatabases();
try {
  process.stdout.write(
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${preset.rounds} interleaved rounds; the load generator shares the cores\n`,
  );
  if (alone === undefined) await printAllButRoutes();
  if (alone === 'scans') printTable('Scans', await scans());
  else
    printTable('Routes', [
      ...(await measureRoutes({ full: preset === PRESETS.full })),
      ...(await measureReadsBesidePlans(databases, preset.duration * 2)),
    ]);
} finally {
  await databases.close();
}

if (alone === undefined) await printKafka();

async function printAllButRoutes(): Promise<void> {
  printTable('Spine', await measureSpine(databases, preset));
  printTable('Engines', [
    ...(await measureAppends(databases, { ...preset, appends: preset.requests * 10 })),
    ...(await scans()),
    ...(await measureProcesses(databases, preset)),
  ]);
  printTable('Assignments', await measureAssignments(databases, { rounds: preset.rounds * 2, requests: 30 }));
  printTable('Agents', await measureMcp(databases, preset));
  printTable('Formats', [...(await measureSerializers(preset)), ...(await measureEpcis(databases, preset))]);
}

async function printKafka(): Promise<void> {
  process.stdout.write('\n### Kafka\n\n');
  await once(
    spawn(process.execPath, [...process.execArgv, 'dist/bench/kafka-main.js', String(preset.relayed)], {
      stdio: 'inherit',
    }),
    'exit',
  );
}
