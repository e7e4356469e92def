/**
 * `npm run bench [-- quick] [NAME...]`: measures every figure as a ratio to a limit or a reference in the same run.
 * NAME: tables to measure. Default: all tables, except those that are part of another one.
 * LIVE_SECONDS: how long a thousand followers read a board.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { openDatabases } from './support.js';
import { measureAlliances } from './alliances.js';
import { measureAppends } from './appends.js';
import { measureAssignments } from './assignments.js';
import { measureDatasets } from './datasets.js';
import { measureDispatch } from './dispatch.js';
import { measureEffects } from './effects.js';
import { measureEpcis } from './epcis.js';
import { measureCarrierRates } from './carrier-rates.js';
import { measureLabels } from './labels.js';
import { measureLive } from './live.js';
import { measureMcp } from './mcp.js';
import { measureMoneyRequests } from './money-requests.js';
import { measurePrices } from './pricing.js';
import { measureProcesses } from './processes.js';
import { measureReadsDuringPlanning } from './reads-during-planning.js';
import { measureThirdParty } from './third-party.js';
import { measureTimelineReads } from './timeline-reads.js';
import { measureRiders } from './riders.js';
import { measureRoutes } from './routes.js';
import { measureScans } from './scans.js';
import { measureSearch } from './search.js';
import { measureSerializers } from './serializers.js';
import { measureMainPath } from './main-path.js';
import { measureWallets } from './wallet.js';
import { measureWarehouse } from './warehouse.js';
import { measureWebhooks } from './webhooks.js';
import { printTable, type Line } from './table.js';

const PRESETS = {
  full: { rounds: 5, requests: 400, duration: 4, preloaded: 1_000_000, relayed: 100_000 },
  quick: { rounds: 3, requests: 100, duration: 2, preloaded: 100_000, relayed: 10_000 },
};

const args = process.argv.slice(2);
const preset = PRESETS[args.includes('quick') ? 'quick' : 'full'];
const databases = await openDatabases();

const scans = () => measureScans(databases, { ...preset, scans: preset.requests * 10 });
/** By name, in output order: the title, and the function that measures the lines. */
const TABLES: Readonly<Record<string, readonly [string, () => Promise<readonly Line[]>]>> = {
  spine: ['Spine', () => measureMainPath(databases, preset)],
  engines: [
    'Engines',
    async () => [
      ...(await measureAppends(databases, { ...preset, appends: preset.requests * 10 })),
      ...(await scans()),
      ...(await measureProcesses(databases, preset)),
    ],
  ],
  assignments: ['Assignments', () => measureAssignments(databases, { rounds: preset.rounds * 2, requests: 30 })],
  alliances: ['Alliances', () => measureAlliances(databases, preset.requests)],
  dispatch: ['Dispatch', () => measureDispatch(databases, preset.requests)],
  warehouse: ['Warehouse', () => measureWarehouse(databases, preset)],
  webhooks: ['Webhooks', () => measureWebhooks(databases, preset)],
  effects: ['Effects', () => measureEffects(databases, preset)],
  'third-party': ['Third-party delivery', () => measureThirdParty(databases, { requests: preset.requests * 2 })],
  riders: ['Riders', () => measureRiders(databases, preset.duration * 2)],
  live: ['Live', () => measureLive(databases, preset.duration * 5, Number(process.env['LIVE_SECONDS']) || undefined)],
  agents: ['Agents', () => measureMcp(databases, preset)],
  formats: ['Formats', async () => [...(await measureSerializers(preset)), ...(await measureEpcis(databases, preset))]],
  pricing: ['Prices', () => measurePrices(preset)],
  labels: [
    'Labels',
    async () => [...(await measureLabels(preset.requests)), ...(await measureCarrierRates(databases, preset))],
  ],
  wallets: [
    'Wallets',
    async () => {
      const options = { ...preset, requests: preset.requests * 5 };
      return [...(await measureWallets(databases, options)), ...(await measureMoneyRequests(databases, options))];
    },
  ],

  search: ['Search', () => measureSearch(databases, { orders: preset.preloaded, searches: preset.requests / 4 })],
  datasets: [
    'Datasets',
    () =>
      measureDatasets(databases, {
        rounds: preset.rounds,
        rows: preset.requests * 10,
        records: preset.preloaded,
        searches: preset.requests / 4,
      }),
  ],
  routes: [
    'Routes',
    async () => [
      ...(await measureRoutes({ full: preset === PRESETS.full })),
      ...(await measureReadsDuringPlanning(databases, preset.duration * 2)),
    ],
  ],
  scans: ['Scans', scans],
  reads: ['Timeline reads', () => measureTimelineReads(databases, preset)],
};

const known = [...Object.keys(TABLES), 'kafka'];
const names = args.filter((name) => name !== 'quick');
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no table ${unknown.join(', ')}; there are ${known.join(', ')}.`);
// `scans` is part of the engines, and `reads` is part of the spine.
const wanted = names.length > 0 ? names : known.filter((name) => name !== 'scans' && name !== 'reads');
try {
  process.stdout.write(
    `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${preset.rounds} interleaved rounds; the load generator shares the cores\n`,
  );
  for (const [name, [title, measure]] of Object.entries(TABLES))
    if (wanted.includes(name)) printTable(title, [...(await measure())]);
} finally {
  await databases.close();
}
if (wanted.includes('kafka')) await printKafka();

async function printKafka(): Promise<void> {
  process.stdout.write('\n### Kafka\n\n');
  await once(
    spawn(process.execPath, [...process.execArgv, 'dist/bench/kafka-main.js', String(preset.relayed)], {
      stdio: 'inherit',
    }),
    'exit',
  );
}
