/** CSV tables that the service writes: safe in spreadsheets, and the same values when they are read again (N7). */
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvOf, unescapeFormulas } from '../../../src/api/core/csv.js';
import { readTable } from '../../../src/engines/file-reader/kinds/table.js';
import { runs } from '../../support/depth.js';

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const LIMITS = { columns: 16_384, cells: 5_000_000, blankRows: 1_000 };

/** The cells as another program reads them that takes each break, and each separator, for a new cell. */
const partsOf = (csv: string): string[] => csv.split(/[\r\n,;\t]/).map((part) => part.replace(/^"+/, ''));

/** Cells with many signs, breaks, separators, quotes and apostrophes. */
const cell = fc.string({
  unit: fc.constantFrom(
    ...SIGNS,
    "'",
    '"',
    '\n',
    '\r',
    '\t',
    ';',
    ',',
    ' ',
    '\u00a0',
    '\ufeff',
    'a',
    '1',
    '.',
    'é',
    '字',
  ),
  maxLength: 12,
});

describe('N7: exported cells', () => {
  it('N7: a line break does not start a formula or a row', () => {
    for (const lineBreak of ['\n', '\r', '\r\n', '\n\r', '\r\r']) {
      const csv = csvOf([[`A${lineBreak}=HYPERLINK("http://x")`, 'B']]);
      expect(csv.startsWith(`"A${lineBreak}'=`), JSON.stringify(csv)).to.equal(true);
      expect(partsOf(csv).filter((part) => /^[=+@-]/.test(part))).to.deep.equal([]);
      expect(parse(csv), 'one row').to.have.length(1);
    }
  });

  it('N7: full-width signs, tabs and breaks at the start are guarded', () => {
    for (const sign of SIGNS) expect(csvOf([[`${sign}cmd`]])).to.equal(`'${sign}cmd\r\n`);
    for (const start of ['\t', '\r', '\n']) expect(csvOf([[`${start}x`]])).to.equal(`"'${start}x"\r\n`);
  });

  it('N7: separators of other countries do not start a formula', () => {
    expect(csvOf([['a;=1+A1', 'b\t@x']])).to.equal(`"a;'=1+A1","b\t'@x"\r\n`);
  });

  it('N7: a quote sign, white space or a byte order mark does not hide a formula', () => {
    expect(csvOf([['a;"=HYPERLINK(A1);']])).to.equal(`"a;'""=HYPERLINK(A1);"\r\n`);
    for (const start of [' ', '\u00a0', '\ufeff', '\u3000', ' \ufeff ', '"', ' "" '])
      for (const cell of [`${start}=1+A1`, `${start}-12 `]) {
        const [[written]] = parse(csvOf([[cell]])) as [[string]];
        expect(written, JSON.stringify(cell)).to.equal(`'${cell}`);
        expect(unescapeFormulas(written)).to.equal(cell);
      }
  });

  it('N7: a reader with another separator gets no formula', () => {
    const formula = new RegExp(`^["\\s\\ufeff]*[${SIGNS.join('\\')}]`);
    const number = /^[+-][\d ()./,-]*$/;
    fc.assert(
      fc.property(cell, (one) => {
        const delimiters = [';', '\t'];
        const read = delimiters.map((delimiter) =>
          parse(csvOf([[`a;${one}`]]), { delimiter, relax_quotes: true, relax_column_count: true }),
        ) as string[][][];
        // The first cell of each reader begins with the `a` above.
        const unsafe = read.flatMap((rows) => rows.flat()).filter((part) => formula.test(part) && !number.test(part));
        expect(unsafe).to.deep.equal([]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('N7: numbers and phone numbers are unchanged', () => {
    for (const text of ['-12.5', '+49 30 (1) 2-3', '-1'])
      expect(csvOf([[text]]))
        .to.include(text)
        .and.not.include("'");
  });

  it('N7: no part of any exported cell is a formula', () => {
    const formula = new RegExp(`^[${SIGNS.join('\\')}]`);
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
        const unsafe = cells.flatMap((one) =>
          (parse(csvOf([[one, 'x']]), { relax_column_count: true }) as string[][])[0]![0]!
            .split(/[\r\n;\t]/)
            .filter((part) => formula.test(part) && !/^[+-][\d ()./,-]*$/.test(part)),
        );
        expect(unsafe).to.deep.equal([]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('N7: the reader of the service gets the same cells and rows, with and without quotes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
        const csv = csvOf([['first', 'second'], ...rows.map(([a, b]) => [`x${a}`, b])]);
        const read: string[][] = [];
        for await (const piece of readTable(Buffer.from(csv), {
          mediaType: 'text/csv',
          headerRow: 1,
          csv: { trim: false, strict: true },
          limits: LIMITS,
        }))
          if ('rows' in piece)
            read.push(...piece.rows.map(({ cells }) => cells.map((one) => unescapeFormulas(one as string))));
        expect(read).to.deep.equal(rows.map(([a, b]) => [`x${a}`, b]));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('N7: a cell that was exported n times has n guards, which are removed one by one', () => {
    const once = parse(csvOf([['A\n=1', '＝x']])) as string[][];
    const twice = parse(csvOf(once)) as string[][];
    const back = twice[0]!.map((one) => unescapeFormulas(one));
    expect(back).to.deep.equal(once[0]);
    expect(back.map((one) => unescapeFormulas(one))).to.deep.equal(['A\n=1', '＝x']);
  });
});
