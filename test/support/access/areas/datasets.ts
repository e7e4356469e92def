/** The rows of the access table for datasets and their records. */
import type { CallerKind } from '../../../../src/api/core/callers.js';
import type { UserName } from '../../worlds/users.js';
import type { AccessRow, Input, MakeInput } from '../table.js';
import type { World } from '../world.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const READERS: readonly CallerKind[] = [...OFFICE, 'auditor'];
const COLUMNS = [{ code: 'name', type: 'text' }];
const FOREIGN = 'Foreign Secret 7';

async function newDataset({ good, fresh }: World, user: UserName, name = 'Zones'): Promise<{ dataset_id: number }> {
  const body = { code: fresh().toLowerCase(), name, columns: COLUMNS };
  const { json } = await good('/datasets', user, { body });
  return { dataset_id: json.dataset.id as number };
}

/** One dataset per user and world, because the maximum is 100. */
const datasets = new WeakMap<World, Map<UserName, Promise<{ dataset_id: number }>>>();
function datasetOf(world: World, user: UserName): Promise<{ dataset_id: number }> {
  const ofWorld = datasets.get(world) ?? new Map<UserName, Promise<{ dataset_id: number }>>();
  datasets.set(world, ofWorld);
  const made = ofWorld.get(user) ?? newDataset(world, user);
  ofWorld.set(user, made);
  return made;
}

async function withRecord(world: World, user: UserName) {
  const { dataset_id } = await datasetOf(world, user);
  const { json } = await world.good(`/datasets/${dataset_id}/records/batch`, user, {
    method: 'POST',
    body: { records: [{ values: { name: FOREIGN } }] },
  });
  return { dataset_id, record_id: json.results[0].record_id as number };
}
async function withGroup(world: World, user: UserName) {
  const { dataset_id } = await newDataset(world, user);
  await world.good(`/datasets/${dataset_id}/groups`, user, { body: { id: 'g', name: 'G' } });
  return { dataset_id, group_id: 'g' };
}

/** A row about an object of the caller's business; an object of another business is not found. */
const row = (make: (world: World, user: UserName) => Promise<Input>, more: Input = {}, write = true): AccessRow => {
  const by =
    (user: UserName): MakeInput =>
    async (world) => ({ ...(await make(world, user)), ...more });
  return {
    roles: write ? OFFICE : READERS,
    scopes: [write ? 'datasets:write' : 'datasets:read'],
    own: by('client_admin'),
    foreign: { input: by('other_client_admin'), status: 404 },
    varies: ['*'],
  };
};

export const ROWS: Readonly<Record<string, AccessRow>> = {
  datasets: {
    roles: READERS,
    scopes: ['datasets:read'],
    own: () => ({}),
    foreign: {
      input: async (world) => {
        await newDataset(world, 'other_client_admin', FOREIGN);
        return { per_page: 200 };
      },
      excludes: () => FOREIGN,
    },
  },
  dataset: row(datasetOf, {}, false),
  datasetGroups: row(datasetOf, {}, false),
  datasetCreate: {
    roles: OFFICE,
    scopes: ['datasets:write'],
    own: ({ fresh }) => ({ code: fresh().toLowerCase(), name: 'Zones', columns: COLUMNS }),
    varies: ['*'],
    shared: 'a new dataset of its own',
  },
  datasetUpdate: row(datasetOf, { name: 'Areas' }),
  datasetDelete: row(newDataset),
  datasetGroupCreate: row(datasetOf, { id: 'north', name: 'North' }),
  datasetGroupUpdate: row(withGroup, { name: 'South' }),
  datasetGroupDelete: row(withGroup),
  recordsBatch: row(datasetOf, { records: [{ values: { name: 'A' } }] }),
  recordSet: row(withRecord, { values: { name: 'B' } }),
  record: row(withRecord, {}, false),
  recordDelete: row(withRecord),
  recordHistory: row(withRecord, {}, false),
  datasetImport: {
    ...row(async (world, user) => {
      const { dataset_id } = await datasetOf(world, user);
      const { json } = await world.good('/files?purpose=import', user, { body: {} });
      return { dataset_id, file_id: json.file.id as string };
    }),
    scopes: ['datasets:write', 'datasets:read'],
    // Only the user who uploaded a file may import it.
    own: async (world, role) => {
      const { dataset_id } = await datasetOf(world, 'client_admin');
      const { json } = await world.good('/files?purpose=import', role as UserName, { body: {} });
      return { dataset_id, file_id: json.file.id as string };
    },
  },
  datasetExport: row(datasetOf, {}, false),
  datasetSearch: row(datasetOf, { query: 'secret' }, false),
  geocode: {
    roles: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['address:read'],
    own: () => ({ addresses: [{ street: 'Kantstraße 12', postal_code: '10623' }] }),
    foreign: {
      input: async (world) => {
        const body = { code: world.fresh().toLowerCase(), name: 'Streets', kind: 'geocoding' };
        const { id: dataset_id } = (await world.good('/datasets', 'other_client_admin', { body })).json.dataset;
        const values = {
          street: 'Foreign Road 7',
          postal_code: '1',
          country: 'DE',
          position: { latitude: 52.5, longitude: 13.4 },
        };
        await world.good(`/datasets/${dataset_id}/records/batch`, 'other_client_admin', {
          method: 'POST',
          body: { records: [{ values }] },
        });
        return { addresses: [{ street: 'Foreign Road 7', postal_code: '1' }] };
      },
      excludes: () => '52.5',
    },
  },
  geocodeReverse: {
    roles: ['client_admin', 'employee', 'broker', 'driver'],
    scopes: ['address:read'],
    own: () => ({ latitude: 52.5061, longitude: 13.3206 }),
    foreign: {
      input: async (world) => {
        const body = { code: world.fresh().toLowerCase(), name: 'Streets', kind: 'geocoding' };
        const { id: dataset_id } = (await world.good('/datasets', 'other_client_admin', { body })).json.dataset;
        const position = { latitude: 47.1, longitude: 8.2 };
        const values = { street: 'Foreign Lane 9', postal_code: '2', country: 'CH', position };
        await world.good(`/datasets/${dataset_id}/records/batch`, 'other_client_admin', {
          method: 'POST',
          body: { records: [{ values }] },
        });
        return position;
      },
      excludes: () => 'Foreign Lane 9',
    },
  },
};
