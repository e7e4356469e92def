/** Operations on datasets, their columns and their groups. Operations on records are in records.ts. */
import { z } from 'zod';
import type { DatasetCommand, DatasetChange } from '../../../commands/datasets/datasets.js';
import type { Handle } from '../../../commands/core/handle.js';
import { DATASET_KINDS, datasetStream } from '../../../events/datasets/events.js';
import { DATASET_IDS } from '../../../projections/datasets/datasets.js';
import type { DatasetQueries } from '../../../projections/datasets/queries.js';
import type { SharedDatasets } from '../../../projections/datasets/shared.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { businessOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { clientInput, granteeOf, viaSchema } from '../alliances/grantee.js';
import { codeInput } from './filters.js';
import { datasetOf, readDataset } from './read-dataset.js';
import type { References } from './references.js';
import {
  checkKey,
  columnsInput,
  ownColumnsInput,
  DATASET_VERSION,
  datasetOutput,
  groupId,
  groupOutput,
  nameInput,
  toColumns,
  toDataset,
  toGroup,
  withGeocoding,
} from './shapes.js';
import { ownVersionSchema } from '../../core/versions.js';

const READ = {
  area: 'Dataset',
  callers: ['client_admin', 'employee', 'auditor'],
  scopes: ['datasets:read'],
  reads: ['datasets', 'records', 'alliances'],
} as const;
const WRITE = {
  area: 'Dataset',
  callers: ['client_admin', 'employee'],
  scopes: ['datasets:write'],
  awaits: ['datasets'],
  writes: true,
  risk: 'medium',
} as const;
const NOT_FOUND = { 404: 'There is no such dataset.' };
const GROUP_NOT_FOUND = { 404: 'There is no such dataset, or no such group in it.' };
const MAX_DATASETS = 100;
const dataset_id = idSchema.describe('Id of the dataset.');

export interface DatasetsOptions {
  readonly handle: Handle<DatasetCommand, undefined>;
  readonly queries: DatasetQueries;
  readonly shared: SharedDatasets;
  readonly references: References;
}

export function datasetOperations({ handle, queries, shared, references }: DatasetsOptions): Operation[] {
  const reads = { datasets: queries, shared };
  async function send(id: number, { caller, commandId, cause, wrote }: Context, change: DatasetChange) {
    const command = { ...change, id, business: businessOf(caller), commandId };
    wrote((await handle(datasetStream(id), command, cause)).position);
    return { result: true, dataset_id: id };
  }
  const writeOutput = z.object({ result: z.boolean() });

  return [
    operation({
      ...READ,
      name: 'datasets',
      summary: 'List datasets',
      description:
        'Returns the datasets of your business or, with `business_id`, datasets that this partner granted to you.',
      rest: { method: 'get', path: '/v1/datasets' },
      input: z.object({ ...clientInput, ...pageInput }),
      answers: { 404: 'The business in `business_id` has granted you no datasets.' },
      output: z.object({ ...pageOutput, datasets: z.array(datasetOutput) }),
      async run({ business_id, ...page }, { caller }) {
        const grantee = granteeOf(caller, business_id);
        if (grantee) {
          if (!grantee.mayUseGrants) throw fieldError('NOT_FOUND', 'business_id');
          const { granted, datasets, ...found } = await shared.list(grantee, { subject: '' }, rangeOf(page));
          if (!granted) throw fieldError('NOT_FOUND', 'business_id');
          return {
            ...pageOf(page, found),
            datasets: datasets.map(({ row, records, via }) => toDataset(row, records, via)),
          };
        }
        const { rows, ...found } = await queries.list(businessOf(caller), rangeOf(page));
        const counts = await queries.counts(rows.map(({ id }) => id));
        return { ...pageOf(page, found), datasets: rows.map((row) => toDataset(row, counts.get(row.id) ?? 0)) };
      },
    }),
    operation({
      ...READ,
      name: 'dataset',
      versioned: DATASET_VERSION,
      summary: 'Get a dataset with its columns',
      description: "Personal columns of a partner's dataset are omitted.",
      rest: { method: 'get', path: '/v1/datasets/:dataset_id' },
      answers: NOT_FOUND,
      input: z.object({ dataset_id, ...clientInput }),
      output: z.object({ result: z.boolean(), dataset: datasetOutput }),
      async run(input, { caller }) {
        const { dataset, countRecords, via } = await readDataset(reads, input, caller);
        return { result: true, dataset: toDataset(dataset, await countRecords(), via.via_alliance) };
      },
    }),
    operation({
      ...READ,
      name: 'datasetGroups',
      versioned: DATASET_VERSION,
      summary: 'List the groups of a dataset',
      description: 'Groups are listed in the order in which they were added.',
      rest: { method: 'get', path: '/v1/datasets/:dataset_id/groups' },
      answers: NOT_FOUND,
      input: z.object({ dataset_id, ...clientInput }),
      output: z.object({
        result: z.boolean(),
        groups: z.array(groupOutput),
        version: ownVersionSchema,
        via_alliance: viaSchema,
      }),
      async run(input, { caller }) {
        const { dataset, countByGroup, via } = await readDataset(reads, { ...input, withGroups: true }, caller);
        const counts = await countByGroup();
        const groups = dataset.groups.map((group) => toGroup(group, counts));
        return { result: true, groups, ...(!via.via_alliance && { version: dataset.revision }), ...via };
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetCreate',
      returns: { read: 'dataset' },
      summary: 'Create a dataset with its columns',
      description:
        'A dataset is a table for data of your business. Datasets of the kind `geocoding` supply positions for addresses.',
      rest: { method: 'post', path: '/v1/datasets', status: 201 },
      reads: ['datasets'],
      answers: {
        404: 'A column refers to a dataset that does not exist (`DATASET_NOT_FOUND`).',
        409: 'Another dataset has this code (`DATASET_CODE_TAKEN`).',
        422: 'The business has too many datasets (`DATASET_FULL`).',
      },
      input: z.object({
        code: codeInput,
        name: nameInput,
        kind: z
          .enum(DATASET_KINDS)
          .default('table')
          .describe(
            '`table`: only the given columns. `geocoding`: additionally the columns street, postal_code, city, country and position.',
          ),
        key_column: codeInput.optional().describe('Column with a unique value per record. It cannot be changed later.'),
        columns: ownColumnsInput.default([]),
      }),
      output: writeOutput,
      async run({ code, name, kind, key_column: keyColumn, columns: requestedColumns }, context) {
        const own = await references.withReferenceKeys(toColumns(requestedColumns), businessOf(context.caller));
        const columns = kind === 'geocoding' ? withGeocoding(own) : own;
        if (columns.length === 0)
          throw new ApiError('INVALID_INPUT', { errors: [{ field: 'columns', path: '/columns', code: 'REQUIRED' }] });
        checkKey(columns, keyColumn);
        const { taken, count } = await queries.codeUsage(businessOf(context.caller), code);
        if (taken) throw fieldError('DATASET_CODE_TAKEN', 'code');
        if (count >= MAX_DATASETS) throw new ApiError('DATASET_FULL');
        const [id] = await context.reserveIds(DATASET_IDS, 1);
        return send(id!, context, { do: 'create', code, name, kind, keyColumn, columns });
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetUpdate',
      versioned: DATASET_VERSION,
      returns: { read: 'dataset' },
      summary: 'Update the name or the columns of a dataset',
      description:
        '`columns` replaces the whole list and must contain all existing columns. The type, the referenced dataset and the flag `personal` of an existing column cannot change. Hide a column instead of removing it.',
      rest: { method: 'patch', path: '/v1/datasets/:dataset_id' },
      reads: ['datasets'],
      answers: { ...NOT_FOUND, 422: 'A column is missing, or a fixed property has changed (`COLUMN_FIXED`).' },
      input: z.object({ dataset_id, name: nameInput.optional(), columns: columnsInput.optional() }),
      output: writeOutput,
      async run({ dataset_id: id, name, columns: requestedColumns }, context) {
        if (!requestedColumns) return send(id, context, { do: 'change', name });
        const business = businessOf(context.caller);
        const { columns: existing } = await datasetOf(queries, id, context.caller);
        const columns = await references.withReferenceKeys(toColumns(requestedColumns), business, existing);
        return send(id, context, { do: 'change', name, columns });
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetDelete',
      versioned: DATASET_VERSION,
      summary: 'Delete a dataset with all its records',
      description: 'The audit log keeps the events of the dataset and its records.',
      rest: { method: 'delete', path: '/v1/datasets/:dataset_id' },
      answers: NOT_FOUND,
      input: z.object({ dataset_id }),
      output: deletedSchema,
      run: (input, context) => deleted(send(input.dataset_id, context, { do: 'archive' })),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupCreate',
      versioned: DATASET_VERSION,
      returns: { read: 'datasetGroups' },
      summary: 'Create a group in a dataset',
      description: 'A repeated request with the same group changes nothing.',
      rest: { method: 'post', path: '/v1/datasets/:dataset_id/groups', status: 201 },
      answers: { ...GROUP_NOT_FOUND, 409: 'Another group has this id.', 422: 'The dataset has too many groups.' },
      input: z.object({
        dataset_id,
        id: groupId,
        name: nameInput,
        parent: groupId.optional().describe('Id of the parent group. Default: no parent.'),
      }),
      output: writeOutput,
      run: ({ dataset_id: dataset, id: group_id, ...group }, context) =>
        send(dataset, context, { do: 'addGroup', group_id, ...group }),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupUpdate',
      versioned: DATASET_VERSION,
      returns: { read: 'datasetGroups' },
      summary: 'Rename a group of a dataset',
      rest: { method: 'patch', path: '/v1/datasets/:dataset_id/groups/:group_id' },
      answers: GROUP_NOT_FOUND,
      input: z.object({ dataset_id, group_id: groupId, name: nameInput }),
      output: writeOutput,
      run: ({ dataset_id: id, ...group }, context) => send(id, context, { do: 'renameGroup', ...group }),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupDelete',
      versioned: DATASET_VERSION,
      summary: 'Delete an empty group of a dataset',
      rest: { method: 'delete', path: '/v1/datasets/:dataset_id/groups/:group_id' },
      reads: ['records'],
      answers: { ...GROUP_NOT_FOUND, 409: 'The group contains records or groups (`GROUP_IN_USE`).' },
      input: z.object({ dataset_id, group_id: groupId }),
      output: deletedSchema,
      async run({ dataset_id: id, group_id }, context) {
        await datasetOf(queries, id, context.caller);
        if ((await queries.groupCounts(id)).has(group_id)) throw new ApiError('GROUP_IN_USE');
        return deleted(send(id, context, { do: 'removeGroup', group_id }));
      },
    }),
  ];
}
