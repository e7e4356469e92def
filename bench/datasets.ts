/** Datasets: rows of an imported file against the same rows written in bulk calls; and searches in a large dataset. */
import { seed, signIn } from './assignments.js';
import { measureDatasetSearch } from './dataset-search.js';
import { ask, createClient, inParallel, type Client } from './http.js';
import { personOf } from './people.js';
import { median, seconds, startService, waitUntilIdle, type Databases } from './support.js';
import { count, type Line } from './table.js';

/** Maximum number of records per call. */
const PUT_AT_ONCE = 500;
/** Parallel calls. Each call waits until its records are readable; an import waits only once. */
const CONNECTIONS = 4;
const HEADER = ['ref', 'name', 'city', 'size'] as const;
type Row = Readonly<Record<(typeof HEADER)[number], string | number>>;

const COLUMNS = [
  { code: 'ref', type: 'text', required: true },
  { code: 'name', type: 'text' },
  { code: 'city', type: 'text' },
  { code: 'size', type: 'integer' },
];

export interface DatasetsOptions {
  readonly rounds: number;
  /** Rows of one import, and of one measurement of bulk calls. */
  readonly rows: number;
  /** Records in the searched dataset. */
  readonly records: number;
  /** Searches of each kind. */
  readonly searches: number;
}

export async function measureDatasets(
  databases: Databases,
  { rounds, rows, records, searches }: DatasetsOptions,
): Promise<Line[]> {
  const databaseUrl = await databases.fresh('datasets');
  const demo = await seed(databaseUrl);
  const service = await startService(databaseUrl);
  const client = createClient(service.url, CONNECTIONS, await signIn(service.url, demo));
  const dataset = await openDataset(client, 'imported');
  const figures = { imported: [] as number[], put: [] as number[] };
  let next = 0;
  const rowsOf = (many: number): Row[] => Array.from({ length: many }, () => rowOf((next += 1)));
  for (let round = -1; round < rounds; round++) {
    const imported = async () => void figures.imported.push(await seconds(() => bring(client, dataset, rowsOf(rows))));
    const put = async () => void figures.put.push(await seconds(() => putAll(client, dataset, rowsOf(rows))));
    for (const one of round % 2 === 0 ? [imported, put] : [put, imported]) {
      await waitUntilIdle(databaseUrl);
      await one();
    }
    // The first round is a warm-up.
    if (round < 0) figures.imported.length = figures.put.length = 0;
  }
  const found = await measureDatasetSearch({
    databaseUrl,
    client,
    dataset: await openDataset(client, 'searched'),
    records,
    searches,
  });
  client.close();
  await service.stop();
  const [imported, put] = [rows / median(figures.imported), rows / median(figures.put)];
  return [
    {
      name: `Import of ${count(rows)} rows of CSV (records)`,
      value: `${count(imported)}/s`,
      ratio: imported / put,
      reference: `${count(put)}/s put in bulk, ${PUT_AT_ONCE} a call, ${CONNECTIONS} calls at once`,
      goal: '0.3',
    },
    ...found,
  ];
}

/** Creates a dataset and returns its id. */
const openDataset = async (client: Client, code: string): Promise<number> =>
  (
    (await ask(client, 'POST', '/datasets', { code, name: code, key_column: 'ref', columns: COLUMNS }))[
      'dataset'
    ] as unknown as { readonly id: number }
  ).id;

function rowOf(index: number): Row {
  const { name } = personOf(index);
  return { ref: `R-${index}`, name, city: 'Berlin', size: index % 1_000 };
}

/** Runs an import, from the upload of the file to the end of its job. */
async function bring(client: Client, dataset: number, rows: readonly Row[]): Promise<void> {
  const lines = [HEADER.join(), ...rows.map((row) => HEADER.map((column) => row[column]).join())];
  const { file } = await ask(client, 'POST', '/files?purpose=import', Buffer.from(lines.join('\n')));
  const { job } = await ask(client, 'POST', `/datasets/${dataset}/import`, {
    file_id: (file as unknown as { readonly id: string }).id,
  });
  const job_id = (job as unknown as { readonly id: string }).id;
  for (;;) {
    const answer = await client.send('GET', `/api/v1/jobs/${job_id}?wait_s=10`);
    const { job } = JSON.parse(answer.body.toString()) as {
      job: { finished_at: string | null; result?: { inserted: number } };
    };
    if (job.finished_at === null) continue;
    if (job.result?.inserted !== rows.length) throw new Error(answer.body.toString().slice(0, 300));
    return;
  }
}

async function putAll(client: Client, dataset: number, rows: readonly Row[]): Promise<void> {
  const calls = Array.from({ length: Math.ceil(rows.length / PUT_AT_ONCE) }, (_, call) =>
    rows.slice(call * PUT_AT_ONCE, (call + 1) * PUT_AT_ONCE).map((values) => ({ values })),
  );
  await inParallel(calls, CONNECTIONS, async (records) => {
    const answer = await ask(client, 'POST', `/datasets/${dataset}/records/batch`, { records });
    if (!answer['result']) throw new Error(JSON.stringify(answer).slice(0, 300));
  });
}
