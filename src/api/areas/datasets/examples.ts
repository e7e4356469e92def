/** Examples for datasets and geocoding. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const DATASET_EXAMPLES: Examples = {
  datasetCreate: {
    body: {
      code: 'gates',
      name: 'Gates and codes',
      key_column: 'gate',
      columns: [
        { code: 'gate', type: 'text', required: true },
        { code: 'postcode', type: 'text' },
        { code: 'opens', type: 'time' },
        { code: 'contact', type: 'text', personal: true },
      ],
    },
  },
  datasetGroupCreate: { path: { dataset_id: 2 }, body: { id: 'north', name: 'North' } },
  datasetGroupUpdate: { path: { dataset_id: 2, group_id: 'north' }, body: { name: 'North of the river' } },
  recordsBatch: {
    path: { dataset_id: 2 },
    body: {
      records: [
        { values: { gate: 'G-7', postcode: '01067', opens: '06:00', contact: 'Frau Muster' }, group_id: 'north' },
      ],
    },
  },
  recordSet: {
    path: { dataset_id: 2, record_id: 27 },
    body: { values: { gate: 'G-7', postcode: '01067', opens: '07:00' }, if_version: 1 },
  },
  datasetSearch: {
    path: { dataset_id: 2 },
    body: { filters: [{ column: 'postcode', op: 'eq', value: '01067' }], sort: [{ column: 'gate' }] },
  },
  datasetImport: {
    path: { dataset_id: 2 },
    body: {
      file_id: '7c0e9a1e-4f5b-4d1c-9a53-2f6f1f0c7a11',
      mapping: [
        { from: 'Gate', to: 'gate' },
        { from: 'PLZ', to: 'postcode' },
      ],
      mode: 'upsert',
      dry_run: true,
    },
  },
  datasetExport: {
    path: { dataset_id: 2 },
    body: { filters: [{ column: 'postcode', op: 'starts_with', value: '01' }] },
  },
  datasetUpdate: { path: { dataset_id: 2 }, body: { name: 'Gates, codes and hours' } },
  geocode: {
    body: { addresses: [{ street: 'Invalidenstraße 44', city: 'Berlin', postal_code: '10115', country: 'DE' }] },
  },
};
