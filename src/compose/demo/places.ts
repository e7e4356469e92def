/** Place data of the demo business: coordinates of its streets, points of interest, and the stock of its warehouses. */
import type { Cause } from '../../commands/core/handle.js';
import { datasets as datasetDecider } from '../../commands/datasets/datasets.js';
import { records as recordDecider } from '../../commands/datasets/records.js';
import { pois as poiDecider } from '../../commands/pois/decider.js';
import { stock as stockDecider } from '../../commands/stock/decider.js';
import { warehouses as warehouseDecider } from '../../commands/warehouses/decider.js';
import { GEOCODING_COLUMNS } from '../../events/datasets/columns.js';
import { datasetStream, newRecord, recordStream } from '../../events/datasets/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { poiStream, type Place } from '../../events/pois/events.js';
import { stockId, stockStream } from '../../events/stock/events.js';
import { warehouseStream, type Location } from '../../events/warehouses/events.js';
import { DATASET_IDS } from '../../projections/datasets/datasets.js';
import { RECORD_IDS } from '../../projections/datasets/records.js';
import { POI_IDS } from '../../projections/pois/read-model.js';
import type { Service } from '../service.js';
import { seeding } from './seeding.js';
import { STREETS, streetOf } from './streets.js';

const STREETS_CODE = 'demo_streets';

const daily = (from: string, to: string) => [1, 2, 3, 4, 5].map((day) => ({ day, from, to }));
const POIS: readonly (Pick<Place, 'name' | 'category' | 'tags' | 'visibility'> & { readonly street: string })[] = [
  { name: 'Depot Moabit', category: 'depot', street: 'Turmstraße 21', tags: ['night'], visibility: 'business' },
  {
    name: 'Kiosk Torstraße',
    category: 'pickup_point',
    street: 'Torstraße 60',
    tags: ['parcels'],
    visibility: 'public',
  },
  {
    name: 'Bakery Oranienstraße',
    category: 'pickup_point',
    street: 'Oranienstraße 25',
    tags: ['parcels', 'early'],
    visibility: 'public',
  },
  {
    name: 'Bookshop Mönckebergstraße',
    category: 'pickup_point',
    street: 'Mönckebergstraße 7',
    tags: ['parcels'],
    visibility: 'public',
  },
  {
    name: 'Charging point Steindamm',
    category: 'charging',
    street: 'Steindamm 14',
    tags: ['vans'],
    visibility: 'business',
  },
];

const LOCATIONS: readonly Location[] = [
  { code: 'DOCK-1', zone: 'dock', kind: 'dock', sequence: 1 },
  { code: 'IN-1', zone: 'receiving', kind: 'receiving', sequence: 2 },
  { code: 'SHELF-1', zone: 'storage', kind: 'storage', sequence: 3 },
  { code: 'SHELF-2', zone: 'storage', kind: 'storage', sequence: 4 },
  { code: 'OUT-1', zone: 'staging', kind: 'staging', sequence: 5 },
  { code: 'OUT-2', zone: 'staging', kind: 'staging', sequence: 6 },
];
const STOCK = [
  { sku: 'BOX-S', name: 'Box, small', location: 'SHELF-1', quantity: '400' },
  { sku: 'BOX-L', name: 'Box, large', location: 'SHELF-1', quantity: '150' },
  { sku: 'CRATE', name: 'Reusable crate', location: 'SHELF-2', quantity: '80' },
  { sku: 'COOL-PACK', name: 'Cooling pack', location: 'SHELF-2', quantity: '240' },
] as const;

/** Seeds the missing data. Ids are the same on each run. `cause` names the business. */
export async function seedPlaces(
  service: Pick<Service, 'engines'>,
  { businessId: business, warehouses }: { readonly businessId: number; readonly warehouses: readonly number[] },
  cause: Cause,
): Promise<void> {
  const { ids, idOf, handler, command, prepare } = seeding(service, business);
  await prepare(DATASET_IDS, RECORD_IDS, POI_IDS);
  await seedStreets();
  const poi = handler(poiDecider);
  for (const { street, ...place } of POIS) {
    const id = await idOf(POI_IDS.name, place.name, 'pois.pois', 'name');
    const { position, ...address } = streetOf(street);
    const fullPlace = {
      ...place,
      position,
      address: { ...address, country: 'DE' },
      opening_hours: daily('07:00', '20:00'),
    };
    await poi(poiStream(id), { ...command('poi', id), do: 'create', place: fullPlace }, cause);
  }
  await seedStock();

  async function seedStreets(): Promise<void> {
    const id = await idOf(DATASET_IDS.name, STREETS_CODE, 'datasets.datasets', 'code');
    await handler(datasetDecider)(
      datasetStream(id),
      {
        ...command('dataset', id),
        do: 'create',
        code: STREETS_CODE,
        name: 'Streets of the demo',
        kind: 'geocoding',
        columns: GEOCODING_COLUMNS,
      },
      cause,
    );
    const commandId = derivedId('seed', 'streets', id);
    const recordIds = await ids.reserve(RECORD_IDS.name, STREETS.length, commandId, true);
    const put = handler(recordDecider);
    await Promise.all(
      STREETS.map((street, index) => {
        const uuid = newRecord(id, commandId, index);
        const record = {
          uuid,
          business,
          datasetId: id,
          recordId: recordIds[index]!,
          values: { ...street, country: 'DE' },
        };
        return put(recordStream(uuid), { do: 'put', commandId, ...record }, cause);
      }),
    );
  }

  async function seedStock(): Promise<void> {
    const warehouse = handler(warehouseDecider);
    const stock = handler(stockDecider);
    for (const id of warehouses) {
      const locations = { ...command('locations', id), do: 'putLocations', locations: LOCATIONS } as const;
      await warehouse(warehouseStream(id), locations, cause);
      for (const { sku, name, location, quantity } of STOCK) {
        const stockUuid = stockId(id, sku);
        await stock(
          stockStream(stockUuid),
          {
            id: stockUuid,
            business,
            commandId: derivedId('seed', 'stock', stockUuid),
            do: 'receive',
            sku: { warehouse_id: id, sku, name, unit: 'pcs', barcodes: [] },
            location,
            quantity,
          },
          cause,
        );
      }
    }
  }
}
