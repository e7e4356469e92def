/** Datasets: columns with records keep their meaning, groups form a tree. Records have versions. */
import { expect } from 'chai';
import { datasets, type DatasetCommand } from '../../../src/commands/datasets/datasets.js';
import { records, type RecordCommand } from '../../../src/commands/datasets/records.js';
import type { Column } from '../../../src/events/datasets/columns.js';
import type { Values } from '../../../src/events/datasets/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<DatasetCommand>(7);
const column = (code: string, rest: Partial<Column> = {}): Column => ({
  code,
  name: code,
  type: 'text',
  required: true,
  personal: false,
  hidden: false,
  ...rest,
});
const create = () =>
  of({ do: 'create', code: 'shops', name: 'Shops', kind: 'table', keyColumn: 'no', columns: [column('no')] });
const addGroup = (group_id: string, parent?: string) => of({ do: 'addGroup', group_id, name: group_id, parent });

describe('decider of datasets', () => {
  it('records a changed name, and given columns', () => {
    const made = given(datasets, create());
    expect(made.when(of({ do: 'change', name: 'Shops' })).types).to.deep.equal([]);
    expect(made.when(of({ do: 'change', name: 'Stores', columns: [column('no')] })).types).to.deep.equal([
      'DatasetRenamed',
      'DatasetColumnsSet',
    ]);
    expect(made.refusal(as(2, { do: 'change', name: 'Mine' }))).to.equal('DATASET_NOT_FOUND');
  });

  it('keeps the type, privacy and required flag of a column, and the key column visible', () => {
    const made = given(datasets, create());
    const change = (...columns: Column[]) => of({ do: 'change', columns });
    for (const changed of [{ type: 'number' as const }, { personal: true }, { hidden: true }, { required: false }])
      expect(made.refusal(change(column('no', changed)))).to.equal('COLUMN_FIXED');
    expect(made.refusal(change(column('other')))).to.equal('COLUMN_FIXED');
    expect(made.when(change(column('no', { name: 'Number' }), column('other'))).types).to.have.length(1);
  });

  it('adds groups below existing ones, and removes those without children', () => {
    const grouped = given(datasets, create(), addGroup('a'), addGroup('b', 'a'));
    expect(grouped.when(addGroup('b', 'a')).types, 'the same again').to.deep.equal([]);
    expect(grouped.refusal(addGroup('b'))).to.equal('GROUP_TAKEN');
    expect(grouped.refusal(addGroup('c', 'x'))).to.equal('GROUP_NOT_FOUND');
    expect(grouped.refusal(of({ do: 'removeGroup', group_id: 'a' }))).to.equal('GROUP_IN_USE');
    const removed = grouped.when(of({ do: 'removeGroup', group_id: 'b' }));
    expect(removed.then.when(of({ do: 'removeGroup', group_id: 'a' })).types).to.deep.equal(['DatasetGroupRemoved']);
  });
});

describe('decider of records', () => {
  let commands = 0;
  const base = (business = 1) => ({ commandId: `command ${(commands += 1)}`, uuid: 'u1', business, datasetId: 7 });
  const put = (values: Values, rest: object = {}): RecordCommand => ({
    ...base(),
    do: 'put',
    recordId: 3,
    values,
    ...rest,
  });
  const remove = (): RecordCommand => ({ ...base(), do: 'remove' });

  it('replies with record, version and outcome', () => {
    const inserted = given(records).when(put({ no: '1' }));
    expect(inserted.reply).to.deep.equal({ recordId: 3, version: 1, outcome: 'inserted' });
    expect(inserted.then.when(put({ no: '1' })).reply.outcome).to.equal('unchanged');
    const updated = inserted.then.when(put({ no: '2' }, { recordId: 4 }));
    expect(updated.reply, 'it keeps its id').to.deep.equal({ recordId: 3, version: 2, outcome: 'updated' });
    expect(updated.then.when(remove()).reply).to.deep.equal({ recordId: 3, version: 3, outcome: 'removed' });
  });

  it('rejects a version that the caller has not read', () => {
    const known = given(records, put({ no: '1' }));
    expect(known.refusal(put({ no: '2' }, { ifVersion: 0 }))).to.equal('RECORD_CHANGED');
    expect(known.when(put({ no: '2' }, { ifVersion: 1 })).types).to.deep.equal(['RecordPut']);
    expect(given(records, put({ no: '1' }), remove()).when(put({ no: '1' }, { ifVersion: 0 })).types).to.have.length(1);
  });

  it('keeps hidden columns, and needs the personal values of this version for that', () => {
    const keeping = { keeps: ['secret'] };
    const known = given(records, put({ no: '1', secret: 's' }));
    expect(known.when(put({ no: '2' }, keeping)).facts[0]!.data).to.deep.include({ values: { secret: 's', no: '2' } });
    const personal = given(records, put({ no: '1' }, { personalValues: { phone: '1' } }));
    expect(personal.refusal(put({ no: '2' }, { keeps: ['phone'] }))).to.equal('RECORD_CHANGED');
    const opened = { keeps: ['phone'], known: { version: 1, personalValues: { phone: '1' }, erased: false } };
    expect(personal.when(put({ no: '2' }, opened)).facts[0]!.data).to.deep.include({ personal_values: { phone: '1' } });
  });

  it('rejects access to records of other businesses, and to unknown ones', () => {
    expect(given(records, put({})).refusal({ ...put({}), ...base(2) })).to.equal('RECORD_NOT_FOUND');
    expect(given(records).refusal(remove())).to.equal('RECORD_NOT_FOUND');
    expect(given(records).refusal(put({}, { mustExist: true }))).to.equal('RECORD_NOT_FOUND');
  });
});
