/** Random commands to datasets and their records. */
import { datasets, type DatasetChange } from '../../../../../src/commands/datasets/datasets.js';
import { records } from '../../../../../src/commands/datasets/records.js';
import { columnSchema, GEOCODING_COLUMNS } from '../../../../../src/events/datasets/columns.js';
import { datasetStream, keyedRecord, recordStream } from '../../../../../src/events/datasets/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = ({ send: to, business }: Tools, id: number, body: DatasetChange) =>
  to(datasets, datasetStream(id), { ...body, id, business });
const change = (tools: Tools, pick: Pick, body: DatasetChange) => send(tools, tools.existing(pick), body);
const group = (pick: Pick): string => `G${pick.of(2)}`;

function recordOf({ id, business }: Tools, pick: Pick) {
  const number = pick.of(6);
  const uuid = keyedRecord(id(1), number);
  return { stream: recordStream(uuid), of: { uuid, business, datasetId: id(1) }, recordId: id(number) };
}

export const MIX = generator({
  create: (tools, pick) =>
    rarely(pick, 2, () =>
      send(tools, tools.fresh(), {
        do: 'create',
        code: `set_${tools.now}`,
        name: `Set ${pick.of(9)}`,
        kind: pick.one('table', 'geocoding'),
        keyColumn: pick.one(undefined, 'city'),
        columns: GEOCODING_COLUMNS,
      }),
    ),
  rename: (tools, pick) => change(tools, pick, { do: 'change', name: `Set ${pick.of(9)}` }),
  // A column keeps its type, so the added column varies only in the other members.
  setColumns: (tools, pick) => {
    const { reference: _reference, ...more } = pick.like(columnSchema);
    const publicColumn = { code: 'more', type: 'text', personal: false } as const;
    return change(tools, pick, { do: 'change', columns: [...GEOCODING_COLUMNS, { ...more, ...publicColumn }] });
  },
  addGroup: (tools, pick) =>
    change(tools, pick, {
      do: 'addGroup',
      group_id: group(pick),
      name: `Group ${pick.of(9)}`,
      ...(pick.of(4) === 1 && { parent: group(pick) }),
    }),
  renameGroup: async (tools, pick) => {
    const [id, group_id] = [tools.existing(pick), `G${tools.now}`];
    await send(tools, id, { do: 'addGroup', group_id, name: 'Group' });
    return send(tools, id, { do: 'renameGroup', group_id, name: `Group ${pick.of(9)}` });
  },
  removeGroup: async (tools, pick) => {
    const [id, group_id] = [tools.existing(pick), `G${tools.now}`];
    await send(tools, id, { do: 'addGroup', group_id, name: 'Group' });
    return send(tools, id, { do: 'removeGroup', group_id });
  },
  archive: (tools, pick) => rarely(pick, 2, () => change(tools, pick, { do: 'archive' })),
  put: (tools, pick) => {
    const { stream, of, recordId } = recordOf(tools, pick);
    const values = {
      street: `Street ${pick.of(9)}`,
      postal_code: '10115',
      city: pick.one('Berlin', 'Köln'),
      country: 'DE',
      position: { latitude: 52 + pick.of(9) / 10, longitude: 13 },
    };
    const personalValues = pick.flag() ? { name: `Person ${pick.of(9)}` } : undefined;
    return tools.send(records, stream, { ...of, do: 'put', recordId, groupId: group(pick), values, personalValues });
  },
  remove: (tools, pick) => {
    const { stream, of } = recordOf(tools, pick);
    return tools.send(records, stream, { ...of, do: 'remove' });
  },
});
