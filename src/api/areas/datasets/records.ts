/** Write operations on records of datasets. */
import { z } from 'zod';
import type { RecordCommand, RecordReply } from '../../../commands/datasets/records.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import { keyedRecord, recordStream } from '../../../events/datasets/events.js';
import type { DatasetRow } from '../../../projections/datasets/datasets.js';
import type { RecordHistory } from '../../../projections/datasets/history.js';
import type { DatasetQueries, RecordQueries } from '../../../projections/datasets/queries.js';
import { RECORD_IDS } from '../../../projections/datasets/records.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { ApiError } from '../../core/errors.js';
import { chooseLanguage, translate } from '../../core/messages/index.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { toApiError } from '../../core/problem.js';
import { datasetOf } from './read-dataset.js';
import { dataset_id, NOT_FOUND, record_id, uuidOf } from './record-reading.js';
import { expectReferences, type References } from './references.js';
import { createRecordLimit, expectGroup, keyOf, toPutCommand, uuidFor } from './put-command.js';
import type { RecordWriter } from './record-writer.js';
import { groupId, visibleValues } from './shapes.js';
import { createValueCheck } from './values.js';

const WRITE = {
  area: 'Dataset',
  callers: ['client_admin', 'employee'],
  scopes: ['datasets:write'],
  reads: ['datasets', 'records'],
  awaits: ['records', 'dataset_search'],
  writes: true,
  risk: 'medium',
} as const;
const CONFLICT = { 409: 'The record has changed since (`RECORD_CHANGED`); `current` has its version and values.' };
/** Maximum number of records per call. */
const MAX_PUT = 500;

const recordFields = {
  values: z.record(z.string(), z.unknown()).describe('All values of the record, by column code.'),
  group_id: groupId.optional().describe('Group of the record. Default: no group.'),
  if_version: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe(
      'Version of the record that the caller has read. 0: the record must not exist yet. If the record has another version, the write is rejected as a conflict.',
    ),
};
const recordInput = z.strictObject(recordFields).meta({ id: 'DatasetRecordInput' });
const writtenFields = {
  record_id: z.int(),
  version: z.int(),
  outcome: z.enum(['inserted', 'updated', 'unchanged', 'removed']),
};
const putResult = z
  .object({
    index: z.int().describe('Index in the request, starting at 0.'),
    result: z.boolean(),
    record_id: z.int().optional(),
    version: z.int().optional(),
    outcome: writtenFields.outcome.optional(),
    code: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: 'DatasetRecordResult' });

const toWrittenFields = ({ recordId, version, outcome }: RecordReply) => ({ record_id: recordId, version, outcome });

export interface RecordsOptions {
  readonly handle: Handle<RecordCommand, RecordReply>;
  readonly recordWriter: RecordWriter;
  readonly datasets: DatasetQueries;
  readonly queries: RecordQueries;
  readonly history: RecordHistory;
  readonly references: References;
}

export function recordOperations(options: RecordsOptions): Operation[] {
  const { handle, recordWriter, datasets, queries, history, references } = options;

  async function send(command: RecordCommand, { cause, wrote }: Context): Promise<RecordReply> {
    const { reply, position } =
      command.do === 'put'
        ? await recordWriter.put(command, cause)
        : await handle(recordStream(command.uuid), command, cause);
    wrote(position);
    return reply;
  }

  /** Writes one record of a batch. An error of this record is reported in its result, not thrown. */
  async function putOne(index: number, command: RecordCommand, context: Context): Promise<z.infer<typeof putResult>> {
    try {
      return { index, result: true, ...toWrittenFields(await send(command, context)) };
    } catch (error) {
      const { code, params, status } = toApiError(error);
      if (status >= 500) throw error;
      const language = chooseLanguage(context.header('accept-language'));
      return { index, result: false, code, message: translate(code, params, language) };
    }
  }

  /** Like `send`, but a version conflict error contains the current version and values. */
  async function sendOne(command: RecordCommand, dataset: DatasetRow, context: Context): Promise<RecordReply> {
    try {
      return await send(command, context);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RECORD_CHANGED') throw error;
      const [current] = await history(command.uuid);
      const record = current &&
        !current.removed && { ...current, values: visibleValues(dataset.columns, current.values) };
      throw new ApiError('RECORD_CHANGED', {
        params: error.params,
        members: record ? { current: { version: record.version, values: record.values } } : {},
        cause: error,
      });
    }
  }

  const checkRecordLimit = createRecordLimit(datasets, queries);

  return [
    operation({
      ...WRITE,
      name: 'recordsBatch',
      summary: 'Create or replace up to 500 records',
      description:
        'Creates records; in a dataset with a key column, also replaces existing records with the same key. All values are checked before anything is written. Each record has a separate result, so a conflict affects only one record.',
      rest: { method: 'post', path: '/v1/datasets/:dataset_id/records/batch' },
      answers: { ...NOT_FOUND, 422: 'The dataset is full (`DATASET_FULL`).' },
      input: z.object({ dataset_id, records: z.array(recordInput).min(1).max(MAX_PUT) }),
      output: z.object({ result: z.boolean(), results: z.array(putResult) }),
      async run(input, context) {
        const dataset = await datasetOf(datasets, input.dataset_id, context.caller);
        const { commandId } = context;
        const check = createValueCheck((await references.withReferenceTypes(dataset)).columns);
        const checked = input.records.map(({ values }, index) => check(values, `/records/${index}/values`));
        input.records.forEach(({ group_id }) => expectGroup(dataset, group_id));
        const uuids = checked.map((values, index) => uuidFor(dataset, values, commandId, index));
        await expectReferences(
          references,
          dataset,
          checked.map(({ plain, personal }, index) => ({
            uuid: uuids[index]!,
            values: { ...plain, ...personal },
            path: `/records/${index}/values`,
          })),
        );
        await checkRecordLimit(dataset, uuids);
        const ids = await context.reserveIds(RECORD_IDS, input.records.length);
        const existingRecords = await recordWriter.known(dataset, uuids);
        const results = await Promise.all(
          input.records.map((record, index) => {
            const uuid = uuids[index]!;
            const command = toPutCommand(dataset, record, checked[index]!);
            const commandFields = {
              uuid,
              known: existingRecords.get(uuid),
              commandId: `${commandId} ${index}`,
              recordId: ids[index]!,
            };
            return putOne(index, { ...command, ...commandFields }, context);
          }),
        );
        return { result: results.every(({ result }) => result), results };
      },
    }),
    operation({
      ...WRITE,
      name: 'recordSet',
      returns: { read: 'record' },
      summary: 'Replace a record of a dataset',
      description:
        'Omitted values are cleared, except in hidden columns. Pass `if_version` to detect concurrent changes.',
      rest: { method: 'put', path: '/v1/datasets/:dataset_id/records/:record_id' },
      answers: { ...NOT_FOUND, ...CONFLICT, 422: 'The key of a record cannot change (`KEY_FIXED`).' },
      input: z.object({ dataset_id, record_id, ...recordFields }),
      output: z.object({ result: z.boolean(), outcome: writtenFields.outcome }),
      async run({ dataset_id: id, record_id: recordId, ...record }, context) {
        const dataset = await datasetOf(datasets, id, context.caller);
        const checked = createValueCheck((await references.withReferenceTypes(dataset)).columns)(
          record.values,
          '/values',
        );
        expectGroup(dataset, record.group_id);
        const uuid = await uuidOf(queries, recordId, dataset);
        const key = keyOf(dataset, checked);
        if (key !== undefined && keyedRecord(dataset.id, key) !== uuid) throw new ApiError('KEY_FIXED');
        const values = { ...checked.plain, ...checked.personal };
        await expectReferences(references, dataset, [{ uuid, values, path: '/values' }]);
        const existingRecord = (await recordWriter.known(dataset, [uuid])).get(uuid);
        const command = {
          ...toPutCommand(dataset, record, checked),
          uuid,
          known: existingRecord,
          commandId: context.commandId,
          recordId,
        };
        return { result: true, ...toWrittenFields(await sendOne({ ...command, mustExist: true }, dataset, context)) };
      },
    }),
    operation({
      ...WRITE,
      name: 'recordDelete',
      summary: 'Delete a record of a dataset',
      description: 'The versions of the record remain readable with `recordHistory`.',
      rest: { method: 'delete', path: '/v1/datasets/:dataset_id/records/:record_id' },
      answers: { ...NOT_FOUND, ...CONFLICT },
      input: z.object({ dataset_id, record_id, if_version: recordFields.if_version }),
      output: deletedSchema,
      async run(input, context) {
        const dataset = await datasetOf(datasets, input.dataset_id, context.caller);
        const uuid = await uuidOf(queries, input.record_id, dataset);
        const { business, id: datasetId } = dataset;
        const { commandId } = context;
        const command = { do: 'remove', uuid, business, datasetId, commandId, ifVersion: input.if_version } as const;
        return deleted(sendOne(command, dataset, context));
      },
    }),
  ];
}
