/** Fields that a call selects from a response, and pages that are cut to a size. */
import { expect } from 'chai';
import { z } from 'zod';
import type { ApiError } from '../../../src/api/core/errors.js';
import { pickFields, readFields, withoutNull } from '../../../src/api/core/fields.js';
import { createProjection, MAX_PAGE_BYTES } from '../../../src/api/mcp/projection.js';

const row = z.object({
  id: z.int(),
  text: z.string().nullable(),
  at: z.object({ city: z.string(), zip: z.string() }).optional(),
  parts: z.array(z.object({ number: z.string(), weight: z.number() })),
  values: z.record(z.string(), z.unknown()),
});
const output = z.object({ result: z.boolean(), total: z.int(), page: z.int(), per_page: z.int(), rows: z.array(row) });

describe('fields of a response', () => {
  const value = {
    id: 1,
    text: null,
    at: { city: 'Berlin', zip: '1' },
    parts: [
      { number: 'a', weight: 1 },
      { number: 'b', weight: 2 },
    ],
    values: { street: 'x', 'free name': 1 },
  };
  const picked = (fields: string) => pickFields(value, readFields(fields, [row]));

  it('are selected by name, by path, and through lists and records', () => {
    expect(picked('id')).to.deep.equal({ id: 1 });
    expect(picked(' at.city , parts.number ')).to.deep.equal({
      at: { city: 'Berlin' },
      parts: [{ number: 'a' }, { number: 'b' }],
    });
    expect(picked('at.city,at')).to.deep.equal({ at: value.at });
    expect(picked('at,at.city')).to.deep.equal({ at: value.at });
    expect(picked('at.city,at.zip')).to.deep.equal({ at: value.at });
    expect(picked('values.street')).to.deep.equal({ values: { street: 'x' } });
    expect(picked('*')).to.equal(value);
  });

  it('are checked against the schema: an unknown field is rejected with the valid fields of its place', () => {
    for (const [fields, name, known] of [
      ['nope', 'nope', 'id, text, at, parts, values'],
      ['at.town', 'town', 'city, zip'],
      ['id.more', 'more', ''],
      ['id,,text', 'query', 'id, text, at, parts, values'],
      ['__proto__', '__proto__', 'id, text, at, parts, values'],
    ])
      expect(() => readFields(fields!, [row]), fields)
        .to.throw()
        .that.satisfies(({ code, errors }: ApiError) => {
          expect([code, errors[0]!.params]).to.deep.equal(['INVALID_INPUT', { field: name, known }]);
          return true;
        });
  });

  it('are omitted if null, while list entries stay', () =>
    expect(withoutNull({ a: null, b: [null, { c: null, d: 0 }], e: false })).to.deep.equal({
      b: [null, { d: 0 }],
      e: false,
    }));
});

describe('pages for agents', () => {
  const project = createProjection({ 'rows[]': 'id,text' }, output)('*');
  const all = Array.from({ length: 400 }, (_, id) => ({ id, text: 'x'.repeat(id % 7 === 0 ? 900 : 100) }));
  const pageOf = (page: number, per_page: number, rows: readonly object[] = all) =>
    project(
      { result: true, total: rows.length, page, per_page, rows: rows.slice((page - 1) * per_page, page * per_page) },
      { page, per_page },
    ).shown as { page: number; per_page: number; rows: { id: number }[]; next?: { page: number; per_page: number } };

  it('cover all rows once, with every page size', () => {
    for (const size of [1, 7, 20, 37, 199, 200]) {
      const ids: number[] = [];
      for (let next: { page: number; per_page: number } | undefined = { page: 1, per_page: size }; next;) {
        const page = pageOf(next.page, next.per_page);
        expect(Buffer.byteLength(JSON.stringify(page))).to.be.below(MAX_PAGE_BYTES + 200);
        ids.push(...page.rows.map(({ id }) => id));
        ({ next } = page);
      }
      expect(ids, String(size)).to.deep.equal(all.map(({ id }) => id));
    }
  });

  it('split a later page at the start of its rows', () => {
    const page = pageOf(2, 200);
    expect(page.rows).to.have.length(100);
    expect(page.rows[0]!.id).to.equal(200);
    expect(page).to.deep.include({ page: 3, per_page: 100, next: { page: 4, per_page: 100 } });
  });

  it('keep a single row of any size', () => {
    const page = pageOf(1, 20, [{ id: 1, text: 'x'.repeat(50_000) }, { id: 2 }]);
    expect(page.rows).to.have.length(1);
    expect(page.next).to.deep.equal({ page: 2, per_page: 1 });
  });

  it('of a cursor list lead to the next page, or report how many rows fit', () => {
    const read = (perPage: number) =>
      project(
        { result: true, total: 400, page: 1, per_page: perPage, next_cursor: 'abc', rows: all.slice(0, perPage) },
        { per_page: perPage },
      );
    const { fitting, shown } = read(200);
    expect(fitting).to.be.within(100, 199);
    expect(read(fitting!)).not.to.have.property('fitting');
    expect(shown).not.to.have.property('next_cursor');
    expect(shown).to.deep.include({ next: { cursor: 'abc', per_page: 200 } });
    const last = { result: true, total: 1, page: null, per_page: 20, next_cursor: null, rows: all.slice(0, 1) };
    expect(project(last, {}).shown).to.deep.equal({ result: true, total: 1, per_page: 20, rows: all.slice(0, 1) });
    const huge = { ...last, next_cursor: 'abc', rows: [{ id: 1, text: 'x'.repeat(50_000) }] };
    expect(project(huge, {})).not.to.have.property('fitting');
  });

  it('of a single object cut the longest lists inside it, and report how many rows are missing', () => {
    const plan = z.object({
      result: z.boolean(),
      plan: z.object({ id: z.int(), rows: z.array(row), left: z.array(row) }),
    });
    const read = (rows: readonly object[], left: readonly object[]) =>
      createProjection({ plan: 'id,rows.id,rows.text,left.id' }, plan)(undefined)(
        { result: true, plan: { id: 1, rows, left } },
        {},
      ).shown as { plan: { rows: object[]; left: object[] }; omitted_rows?: Record<string, number>; hint?: string };
    const whole = read(all.slice(0, 10), all.slice(0, 10));
    expect(whole.plan).to.include({ id: 1 });
    expect(whole).not.to.have.any.keys('omitted_rows', 'hint');
    const cut = read(all, all);
    expect(Buffer.byteLength(JSON.stringify(cut))).to.be.at.most(MAX_PAGE_BYTES);
    expect(cut.plan.left).to.have.length(400);
    expect(cut.omitted_rows).to.deep.equal({ 'plan.rows': 400 - cut.plan.rows.length });
    expect(cut.plan.rows.length).to.be.above(100);
    expect(cut.hint).to.include('fields');
  });

  it('return the default fields, and reject a default that the output lacks', () => {
    const shown = createProjection({ 'rows[]': 'id' }, output)(undefined)(
      { result: true, total: 1, page: 1, per_page: 20, rows: [{ id: 1, text: 'x' }] },
      { page: 1, per_page: 20 },
    ).shown;
    expect(shown).to.deep.equal({ result: true, total: 1, page: 1, per_page: 20, rows: [{ id: 1 }] });
    expect(() => createProjection({ 'rows[]': 'nope' }, output)).to.throw('Change `fields` of the tool');
    expect(() => createProjection({ 'nope[]': '*' }, output)).to.throw('Change `fields` of the tool');
  });
});
