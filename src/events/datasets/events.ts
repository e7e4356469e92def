/** Events of a dataset and of its records. */
import { z } from 'zod';
import { derivedId } from '../otep/identity.js';
import { eventType, personal } from '../core/event-types.js';
import { columnSchema } from './columns.js';

export const DATASET_PREFIX = 'dataset-';
export const datasetStream = (id: number): string => `${DATASET_PREFIX}${id}`;

/** Each record has a separate stream, named by a UUID, which is also the key subject of its personal columns. */
export const RECORD_PREFIX = 'record-';
export const recordStream = (uuid: string): string => `${RECORD_PREFIX}${uuid}`;
/** Derived from the key, so that concurrent writes of the same key conflict in one stream. */
export const keyedRecord = (dataset: number, key: string | number): string => derivedId('record', dataset, 'key', key);
export const newRecord = (dataset: number, commandId: string, index: number): string =>
  derivedId('record', dataset, 'command', commandId, index);

/** `geocoding`: used to geocode addresses. */
export const DATASET_KINDS = ['table', 'geocoding'] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];

export const groupSchema = z.object({ group_id: z.string(), name: z.string(), parent: z.string().optional() });
export type Group = z.infer<typeof groupSchema>;

export const DatasetCreated = eventType(
  'DatasetCreated',
  z.object({
    dataset_id: z.int(),
    business: z.int(),
    code: z.string(),
    name: z.string(),
    kind: z.enum(DATASET_KINDS),
    /** Column with unique values. */
    key_column: z.string().optional(),
  }),
);
export const DatasetRenamed = eventType('DatasetRenamed', z.object({ name: z.string() }));
/** All columns, replacing the earlier columns. */
export const DatasetColumnsSet = eventType('DatasetColumnsSet', z.object({ columns: z.array(columnSchema) }));
export const DatasetGroupAdded = eventType('DatasetGroupAdded', groupSchema);
export const DatasetGroupRenamed = eventType('DatasetGroupRenamed', groupSchema.pick({ group_id: true, name: true }));
export const DatasetGroupRemoved = eventType('DatasetGroupRemoved', groupSchema.pick({ group_id: true }));
export const DatasetArchived = eventType('DatasetArchived', z.object({}));

export const DATASET_EVENTS = [
  DatasetCreated,
  DatasetRenamed,
  DatasetColumnsSet,
  DatasetGroupAdded,
  DatasetGroupRenamed,
  DatasetGroupRemoved,
  DatasetArchived,
] as const;

/** Values by column code. */
export type Values = Readonly<Record<string, unknown>>;
const values = z.record(z.string(), z.unknown());

/** The complete new record. */
export const RecordPut = eventType(
  'RecordPut',
  z.object({
    record_id: z.int(),
    business: z.int(),
    dataset_id: z.int(),
    group_id: z.string().optional(),
    /** From 1. */
    version: z.int(),
    values,
    personal_values: personal(values),
    /** Id of the import job. */
    import_id: z.string().optional(),
  }),
);
export const RecordRemoved = eventType('RecordRemoved', z.object({ version: z.int() }));

export const RECORD_EVENTS = [RecordPut, RecordRemoved] as const;
