/** Datasets: their columns and groups. Their records are in records.ts. */
import { z } from 'zod';
import type { DatasetCommand, DatasetWish } from '../../../commands/datasets/datasets.js';
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
import { clientInput, takerOf, viaSchema } from '../alliances/taking.js';
import { codeInput } from './filters.js';
import { datasetOf, datasetRead } from './reading.js';
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
const NOT_THERE = { 404: 'There is no such dataset.' };
const NO_GROUP = { 404: 'There is no such dataset, or no such group in it.' };
const MOST_DATASETS = 100;
const dataset_id = idSchema.describe('Id of the dataset.');

export interface DatasetsOptions {
  readonly handle: Handle<DatasetCommand, undefined>;
  readonly queries: DatasetQueries;
  readonly shared: SharedDatasets;
  readonly references: References;
}

export function datasetOperations({ handle, queries, shared, references }: DatasetsOptions): Operation[] {
  const reads = { datasets: queries, shared };
  async function send(id: number, { caller, commandId, cause, wrote }: Context, what: DatasetWish) {
    const command = { ...what, id, business: businessOf(caller), commandId };
    wrote((await handle(datasetStream(id), command, cause)).position);
    return { result: true, dataset_id: id };
  }
  const written = z.object({ result: z.boolean() });

  return [
    operation({
      ...READ,
      name: 'datasets',
      summary: 'List datasets',
      description: 'With `business_id`: those that a partner granted.',
      rest: { method: 'get', path: '/v1/datasets' },
      input: z.object({ ...clientInput, ...pageInput }),
      answers: { 404: 'No datasets of this `business_id` are granted to the business.' },
      output: z.object({ ...pageOutput, datasets: z.array(datasetOutput) }),
      async run({ business_id, ...page }, { caller }) {
        const taker = takerOf(caller, business_id);
        if (taker) {
          if (!taker.mayTake) throw new ApiError('NOT_FOUND');
          const { granted, datasets, ...found } = await shared.list(taker, { subject: '' }, rangeOf(page));
          if (!granted) throw new ApiError('NOT_FOUND');
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
      summary: 'Read a dataset with its columns',
      description: "Of a partner's dataset without personal columns.",
      rest: { method: 'get', path: '/v1/datasets/:dataset_id' },
      answers: NOT_THERE,
      input: z.object({ dataset_id, ...clientInput }),
      output: z.object({ result: z.boolean(), dataset: datasetOutput }),
      async run(input, { caller }) {
        const { dataset, records, via } = await datasetRead(reads, input, caller);
        return { result: true, dataset: toDataset(dataset, await records(), via.via_alliance) };
      },
    }),
    operation({
      ...READ,
      name: 'datasetGroups',
      versioned: DATASET_VERSION,
      summary: 'List the groups of a dataset',
      description: 'In the order in which they were added.',
      rest: { method: 'get', path: '/v1/datasets/:dataset_id/groups' },
      answers: NOT_THERE,
      input: z.object({ dataset_id, ...clientInput }),
      output: z.object({
        result: z.boolean(),
        groups: z.array(groupOutput),
        version: ownVersionSchema,
        via_alliance: viaSchema,
      }),
      async run(input, { caller }) {
        const { dataset, inGroups, via } = await datasetRead(reads, { ...input, withGroups: true }, caller);
        const counts = await inGroups();
        const groups = dataset.groups.map((group) => toGroup(group, counts));
        return { result: true, groups, ...(!via.via_alliance && { version: dataset.revision }), ...via };
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetCreate',
      returns: { read: 'dataset' },
      summary: 'Make a dataset with its columns',
      rest: { method: 'post', path: '/v1/datasets', status: 201 },
      reads: ['datasets'],
      answers: {
        404: 'A column refers to a dataset that is not there.',
        409: 'Another dataset has the code.',
        422: 'The business has too many.',
      },
      input: z.object({
        code: codeInput,
        name: nameInput,
        kind: z
          .enum(DATASET_KINDS)
          .default('table')
          .describe('`geocoding`: has the columns street, postal_code, city, country and position, too.'),
        key_column: codeInput.optional().describe('No two records have the same value there; for good.'),
        columns: ownColumnsInput.default([]),
      }),
      output: written,
      async run({ code, name, kind, key_column: keyColumn, columns: given }, context) {
        const own = await references.withKeys(toColumns(given), businessOf(context.caller));
        const columns = kind === 'geocoding' ? withGeocoding(own) : own;
        if (columns.length === 0)
          throw new ApiError('INVALID_INPUT', { errors: [{ field: 'columns', path: '/columns', code: 'REQUIRED' }] });
        checkKey(columns, keyColumn);
        const { taken, count } = await queries.standing(businessOf(context.caller), code);
        if (taken) throw fieldError('DATASET_CODE_TAKEN', 'code');
        if (count >= MOST_DATASETS) throw new ApiError('DATASET_FULL');
        const [id] = await context.reserveIds(DATASET_IDS, 1);
        return send(id!, context, { do: 'create', code, name, kind, keyColumn, columns });
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetUpdate',
      versioned: DATASET_VERSION,
      returns: { read: 'dataset' },
      summary: 'Rename a dataset, or say its columns anew',
      description:
        'Columns are the whole list from now on. One that is there keeps its type, the dataset that it refers to and its being personal; it is hidden, never left out.',
      rest: { method: 'patch', path: '/v1/datasets/:dataset_id' },
      reads: ['datasets'],
      answers: { ...NOT_THERE, 422: 'A column that is there was left out, or is another one now.' },
      input: z.object({ dataset_id, name: nameInput.optional(), columns: columnsInput.optional() }),
      output: written,
      async run({ dataset_id: id, name, columns: given }, context) {
        if (!given) return send(id, context, { do: 'change', name });
        const { columns: known } = await datasetOf(queries, id, context.caller);
        const columns = await references.withKeys(toColumns(given), businessOf(context.caller), known);
        return send(id, context, { do: 'change', name, columns });
      },
    }),
    operation({
      ...WRITE,
      name: 'datasetDelete',
      versioned: DATASET_VERSION,
      summary: 'Take a dataset away with all its records; the log keeps them',
      rest: { method: 'delete', path: '/v1/datasets/:dataset_id' },
      answers: NOT_THERE,
      input: z.object({ dataset_id }),
      output: deletedSchema,
      run: (input, context) => deleted(send(input.dataset_id, context, { do: 'archive' })),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupCreate',
      versioned: DATASET_VERSION,
      returns: { read: 'datasetGroups' },
      summary: 'Add a group; the same one again changes nothing',
      rest: { method: 'post', path: '/v1/datasets/:dataset_id/groups', status: 201 },
      answers: { ...NO_GROUP, 409: 'Another group has the id.', 422: 'The dataset has too many.' },
      input: z.object({
        dataset_id,
        id: groupId,
        name: nameInput,
        parent: groupId.optional().describe('The group in which it is.'),
      }),
      output: written,
      run: ({ dataset_id: dataset, id: group_id, ...group }, context) =>
        send(dataset, context, { do: 'addGroup', group_id, ...group }),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupUpdate',
      versioned: DATASET_VERSION,
      returns: { read: 'datasetGroups' },
      summary: 'Rename a group',
      rest: { method: 'patch', path: '/v1/datasets/:dataset_id/groups/:group_id' },
      answers: NO_GROUP,
      input: z.object({ dataset_id, group_id: groupId, name: nameInput }),
      output: written,
      run: ({ dataset_id: id, ...group }, context) => send(id, context, { do: 'renameGroup', ...group }),
    }),
    operation({
      ...WRITE,
      name: 'datasetGroupDelete',
      versioned: DATASET_VERSION,
      summary: 'Remove a group in which nothing is left',
      rest: { method: 'delete', path: '/v1/datasets/:dataset_id/groups/:group_id' },
      reads: ['records'],
      answers: { ...NO_GROUP, 409: 'There are records or groups in it.' },
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
