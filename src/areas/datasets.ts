/** Datasets: custom tables of a business with typed columns. Geocoding also looks up addresses in them. */
import { DATASET_EXAMPLES } from '../api/areas/datasets/examples.js';
import { datasetExport, exportJob } from '../api/areas/datasets/export.js';
import { createGeocode } from '../api/areas/datasets/geocode.js';
import { geocodingOperations } from '../api/areas/datasets/geocoding.js';
import { importJob } from '../api/areas/datasets/import/job.js';
import { datasetImport } from '../api/areas/datasets/import/operation.js';
import { datasetOperations } from '../api/areas/datasets/operations.js';
import { createRecordWriter } from '../api/areas/datasets/record-writer.js';
import { recordReading } from '../api/areas/datasets/record-reading.js';
import { recordOperations } from '../api/areas/datasets/records.js';
import { createReferences } from '../api/areas/datasets/references.js';
import { datasetSearch } from '../api/areas/datasets/search.js';
import { datasets as decider } from '../commands/datasets/datasets.js';
import { records as recordDecider } from '../commands/datasets/records.js';
import { DATASET_EVENTS, DATASET_PREFIX, RECORD_EVENTS, RECORD_PREFIX } from '../events/datasets/events.js';
import { DATASET_IDS, datasets as datasetRows } from '../projections/datasets/datasets.js';
import { createPersonalOf, createRecordHistory } from '../projections/datasets/history.js';
import { createPlaceQueries } from '../projections/datasets/places.js';
import { createDatasetQueries, createRecordQueries } from '../projections/datasets/queries.js';
import { RECORD_IDS, records as recordRows } from '../projections/datasets/records.js';
import { createSharedDatasets } from '../projections/datasets/shared.js';
import { DATASET_SEARCH, startDatasetSearch } from '../projections/datasets/search.js';
import type { ToolDefinition } from '../api/mcp/definition.js';
import { area } from './area.js';
import { files } from './files.js';
import { jobs } from './jobs.js';
import { geocodersOf } from './wiring/geocoders.js';
import { searchFollowerOptions } from './wiring/search-follower.js';

const tool = (
  name: string,
  title: string,
  operation: string,
  description: string,
  more: Partial<ToolDefinition> = {},
): ToolDefinition => ({ category: 'datasets', name, title, operation, description, ...more });

export const datasets = area({
  name: 'datasets',
  examples: DATASET_EXAMPLES,
  streams: [
    { prefix: DATASET_PREFIX, events: DATASET_EVENTS, tenant: 'business' },
    { prefix: RECORD_PREFIX, events: RECORD_EVENTS, tenant: 'business', erasure: 'own' },
  ],
  readModels: [datasetRows, recordRows],
  followerReadModels: [DATASET_SEARCH.name],
  sequences: [DATASET_IDS, RECORD_IDS],
  errors: {
    DATASET_NOT_FOUND: 404,
    DATASET_CODE_TAKEN: 409,
    DATASET_FULL: 422,
    COLUMN_FIXED: 422,
    REFERENCE_NOT_FOUND: 422,
    GROUP_NOT_FOUND: 404,
    GROUP_TAKEN: 409,
    GROUP_IN_USE: 409,
    RECORD_NOT_FOUND: 404,
    RECORD_CHANGED: 409,
    KEY_FIXED: 422,
    NOT_FILTERABLE: 400,
    RECORD_EXISTS: 409,
    NUMBER_IN_TEXT_COLUMN: 422,
    FORMAT_NEEDED: 422,
    COLUMN_NOT_IN_FILE: 422,
    COLUMN_UNKNOWN: 422,
    SHEET_NOT_FOUND: 422,
    EXPORT_TOO_LARGE: 422,
    TABLE_UNREADABLE: 422,
    TABLE_TOO_WIDE: 422,
    TABLE_TOO_LARGE: 422,
    TOO_MANY_REJECTED: 422,
  },
  tools: {
    operations: [
      tool(
        'list_datasets',
        'List datasets',
        'datasets',
        'Datasets of the business, each with its number of records. With business_id: datasets that a partner shares. get_dataset returns the columns.',
        { fields: { 'datasets[]': 'id,code,name,kind,key_column,group_count,record_count,updated_at,via_alliance' } },
      ),
      tool('get_dataset', 'One dataset', 'dataset', 'One dataset by its dataset_id: name, kind and columns.'),
      tool(
        'list_dataset_groups',
        'Groups of a dataset',
        'datasetGroups',
        'Groups of a dataset, each with its number of records.',
      ),
      tool(
        'search_dataset_records',
        'Search records',
        'datasetSearch',
        'Search the records of a dataset across its groups: by words (typing errors are tolerated) and by conditions on columns. Call get_dataset for the columns first.',
        {
          fields: { 'records[]': 'id,group_id,version,values,match,broken_references' },
          arguments: {
            query: { description: 'Search text; tolerates typing errors.' },
            filters: { description: 'Conditions, all of which must hold.' },
            'filters.column': { description: 'Code of the column.' },
            'filters.op': { description: 'Comparison.' },
            'filters.value': {
              description:
                'Value of the type of the column. `between`: two values; `in`: a list; `empty`, `broken`: true or false; `within_m`: latitude, longitude, metres; `within`: a polygon.',
            },
            groups: { description: 'Search only these groups and their subgroups.' },
            sort: { description: 'Order of the records, unless `query` is given.' },
            'sort.column': { description: 'Code of the column.' },
            'sort.desc': { description: 'Descending.' },
            columns: { description: 'Columns to return. Default: all.' },
          },
        },
      ),
    ],
  },
  services(context) {
    const { database, engines, now, types } = context;
    const { log, keyRing, searchIndex: index } = engines;
    const geocoders = geocodersOf(context);
    const datasets = createDatasetQueries(database);
    const records = createRecordQueries({ database, keyRing, index });
    const history = createRecordHistory({ log, types, keyRing });
    return {
      datasets,
      records,
      history,
      personalOf: createPersonalOf({ log, types, keyRing }),
      references: createReferences({ datasets, records, history }),
      shared: createSharedDatasets(database, now),
      geocoders,
      geocode: createGeocode(createPlaceQueries(database), { geocoders }),
    };
  },
  // A cached geocoding response does not show whose address it was. So every erasure deletes all of them.
  forget:
    ({ geocoders }) =>
    async () =>
      void (await Promise.all(geocoders.map((geocoder) => geocoder.forget()))),
  sweep: ({ geocoders }) => Promise.all(geocoders.map((geocoder) => geocoder.sweep())),
  operations: ({ datasets, records, history, personalOf, shared, references, geocode }, { handle, of }) => {
    const write = handle(recordDecider);
    return [
      ...datasetOperations({ handle: handle(decider), queries: datasets, shared, references }),
      ...recordOperations({
        handle: write,
        recordWriter: createRecordWriter({ handle: write, records, personalOf }),
        datasets,
        queries: records,
        history,
        references,
      }),
      ...recordReading({ datasets, shared, queries: records, history, references }),
      datasetSearch({ datasets, shared, queries: records, references }),
      datasetImport({ datasets, files: of(files), jobs: of(jobs).jobs, references }),
      datasetExport({ datasets, jobs: of(jobs).jobs }),
      ...geocodingOperations(geocode),
    ];
  },
  jobs({ datasets, records, personalOf, references }, { config, handle, of, reserveIds, awaitReadModels }) {
    const own = {
      datasets,
      records,
      references,
      awaitReadModels: () => awaitReadModels('datasets', 'records', 'dataset_search'),
    };
    const putting = createRecordWriter({ handle: handle(recordDecider), records, personalOf });
    const { tables: tableLimits, maxRejected } = config.files;
    return [
      importJob({ ...own, recordWriter: putting, files: of(files), tableLimits, maxRejected, reserveIds }),
      exportJob(own),
    ];
  },
  work: (_services, context) => {
    const search = startDatasetSearch(searchFollowerOptions(DATASET_SEARCH.name, context));
    return [() => search.stop()];
  },
});
