/** Search of the records of a dataset by words and by conditions on columns. */
import { z } from 'zod';
import type { Group } from '../../../events/datasets/events.js';
import type { Condition } from '../../../projections/datasets/conditions.js';
import type { RecordQueries } from '../../../projections/datasets/queries.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { numberedPageInput, numberedPageOf, numberedPageOutput, rangeOf } from '../../core/pages.js';
import { checkSort, codeInput, conditionsOf, filterInput, expectVisibleColumn } from './filters.js';
import { clientInput, viaSchema } from '../alliances/grantee.js';
import { readDataset, type DatasetReads } from './read-dataset.js';
import { READ } from './record-reading.js';
import type { References } from './references.js';
import { groupId, recordOutput, toRecordResponse } from './shapes.js';

export interface SearchOptions extends DatasetReads {
  readonly queries: RecordQueries;
  readonly references: References;
}

export const datasetSearch = ({ queries, references, ...reads }: SearchOptions): Operation =>
  operation({
    ...READ,
    name: 'datasetSearch',
    summary: 'Search the records of a dataset',
    description:
      'Finds records by words (`query`), conditions (`filters`) or both. With words, the best match comes first; the search tolerates typing errors and includes personal columns, but not hidden columns. Without words, records come in the order of `sort`. Conditions on personal columns are rejected (`NOT_FILTERABLE`), because these columns are encrypted.',
    rest: { method: 'post', path: '/v1/datasets/:dataset_id/search' },
    reads: ['datasets', 'records', 'dataset_search', 'alliances'],
    answers: { 404: 'There is no such dataset, or it is not granted to you.' },
    input: z.object({
      dataset_id: idSchema.describe('Id of the dataset.'),
      query: z.string().trim().min(1).max(200).optional().describe('Words to search for.'),
      filters: z
        .array(filterInput)
        .max(20)
        .default([])
        .describe('Conditions for the records. A record must meet all of them.'),
      groups: z.array(groupId).max(100).optional().describe('Search only these groups and their subgroups.'),
      sort: z
        .array(z.strictObject({ column: codeInput, desc: z.boolean().default(false) }).meta({ id: 'DatasetSortInput' }))
        .max(3)
        .default([])
        .describe(
          'Columns that sort the records. Used only without words. Records without a value come last. Default for polygons that contain a position: the order in which their groups were added.',
        ),
      columns: z.array(codeInput).max(200).optional().describe('Columns to return. Default: all.'),
      ...clientInput,
      ...numberedPageInput,
    }),
    output: z.object({ ...numberedPageOutput, records: z.array(recordOutput), via_alliance: viaSchema }),
    async run({ dataset_id, business_id, query, filters, groups, sort, columns: only, ...page }, { caller }) {
      const read = () => readDataset(reads, { dataset_id, business_id }, caller);
      const { dataset, shared, via } = await read();
      const { id, columns, groups: all } = dataset;
      only?.forEach((code, index) => expectVisibleColumn(columns, code, `/columns/${index}`));
      checkSort(columns, sort);
      const searchedGroups = groups && withSubgroups(groups, all);
      const conditions = conditionsOf(columns, filters);
      // Polygons that contain a position are ordered by their groups; the first one is the zone (places R11).
      const inOrder = conditions.some(isPolygonCondition) ? all.map(({ group_id }) => group_id) : undefined;
      const visible = columns.filter(({ hidden }) => !hidden).map(({ code }) => code);
      // The columns of a partner's dataset are already without those that the partner may not read.
      const inAllColumns = !shared && visible.length === columns.length;
      const words = query === undefined ? undefined : { text: query, columns: visible, inAllColumns };
      const search = { words, conditions, groups: searchedGroups, sort, inOrder, shared };
      const { total, rows } = await queries.search(id, search, rangeOf(page));
      // No record was found, or the grant has ended in the meantime. Then reading the dataset again throws.
      if (shared && total === 0) await read();
      const values = rows.map((row) => row.values);
      const broken = shared ? [] : await references.missing(dataset, values, false);
      const records = rows.map((row, index) => toRecordResponse(row, columns, { shared, only, broken: broken[index] }));
      return { ...numberedPageOf(page, total), records, ...via };
    },
  });

const isPolygonCondition = (condition: Condition): boolean => condition.op === 'contains' && condition.in === 'polygon';

/** The groups and all groups inside them. A parent group precedes its children in `all`. */
function withSubgroups(groupIds: readonly string[], all: readonly Group[]): string[] {
  const found = new Set(groupIds);
  for (const { group_id, parent } of all) if (parent !== undefined && found.has(parent)) found.add(group_id);
  return [...found];
}
