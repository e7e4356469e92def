/** Files are read in separate processes, within limits (N1, N4). */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Row } from '../../../src/engines/file-reader/kinds/row.js';
import type { TableOptions, TablePiece } from '../../../src/engines/file-reader/kinds/table.js';
import { elements } from '../../../src/engines/file-reader/kinds/xml-tags.js';
import { createFileReaders, type FileReaders } from '../../../src/engines/file-reader/readers.js';
import { startReaderProcess } from '../../../src/engines/file-reader/reader-process.js';
import { ReadersBusy } from '../../../src/engines/file-reader/refused.js';
import { workbook } from '../../support/inputs/workbook.js';
import { rawWorkbook, strayCell, textCell } from '../../support/inputs/sheets.js';
import { eventually } from '../../support/eventually.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const LIMITS = { columns: 16_384, cells: 5_000_000, blankRows: 1_000 };
const options = (more: Partial<TableOptions> = {}): TableOptions => ({
  mediaType: XLSX,
  headerRow: 1,
  csv: { trim: false, strict: false },
  limits: LIMITS,
  ...more,
});
const csv = (more: Partial<TableOptions> = {}): TableOptions => options({ mediaType: 'text/csv', ...more });

describe('tags of sheets', () => {
  it('N1: 5 MB of unclosed tags are searched in linear time', () => {
    for (const part of ['<c ', '<c r="', "<c r='A1' ", '<c a="1"'])
      expect([...elements(part.repeat(5_000_000 / part.length), 'row|c|v|t')]).to.deep.equal([]);
    const [tag] = [...elements('<c <x:c r="A>1" s=\'2\'>', 'c')];
    expect(tag).to.include({ prefix: 'x:', attributes: ' r="A>1" s=\'2\'' });
  });
});

describe('readers of files', () => {
  let readers: FileReaders;
  const ended: string[] = [];
  before(() => {
    readers = createFileReaders({
      processes: 2,
      memoryMb: 128,
      seconds: 60,
      maxWaiting: 3,
      onEnded: (_kind, _business, { code }) => ended.push(code),
    });
  });
  after(() => readers.close());
  beforeEach(() => void ended.splice(0));

  async function tableOf(content: Buffer | string, read: TableOptions, business = 1) {
    const pieces: TablePiece[] = [];
    for await (const piece of readers.read('table', Buffer.from(content as string), read, { business }))
      pieces.push(piece);
    return {
      header: pieces.flatMap((piece) => ('header' in piece ? piece.header : [])),
      rows: pieces.flatMap((piece): readonly Row[] => ('rows' in piece ? piece.rows : [])),
      endLine: pieces.flatMap((piece) => ('endLine' in piece ? piece.endLine : []))[0],
      pieces: pieces.length,
    };
  }
  const codeOf = (content: Buffer | string, read: TableOptions): Promise<string> =>
    tableOf(content, read).then(
      () => 'read',
      (error: unknown) => (error as { code: string }).code,
    );

  it('N1: a reference beyond XFD1048576 is refused before the library reads the sheet', async () => {
    for (const reference of [
      'ZZZZZZ2',
      'XFE1',
      'A1048577',
      'A4294967295',
      `${'Z'.repeat(5_000)}1`,
      'A99999999999999999999',
    ])
      expect(await codeOf(strayCell(reference), options()), reference).to.equal('TABLE_TOO_WIDE');
    expect(ended, 'no process ended').to.deep.equal([]);
  });

  it('N1: a reference that is not one, or that readers understand differently, is refused', async () => {
    const cell = (attributes: string): Buffer => rawWorkbook(`<row r="1"><c ${attributes} t="n"><v>1</v></c></row>`);
    for (const attributes of [
      'r="&#90;&#90;&#90;&#90;&#90;&#90;2"',
      'r="A1" r="ZZZZZZ2"',
      'r="zzzzzz2"',
      'r="A0"',
      'r="A-1"',
      'r="A1e9"',
      'r=""',
      's="0"',
    ])
      expect(await codeOf(cell(attributes), options()), attributes).to.equal('TABLE_UNREADABLE');
    expect(await codeOf(rawWorkbook(`<row r="1e9">${textCell('A1')}</row>`), options())).to.equal('TABLE_UNREADABLE');
    expect(await codeOf(cell("r='ZZZZZZ2'"), options())).to.equal('TABLE_TOO_WIDE');
    expect(ended, 'no process ended').to.deep.equal([]);
  });

  it('N1: the cells of the rectangle with values are limited, and the last allowed column is read', async () => {
    const wide = rawWorkbook(
      `<row r="1">${textCell('A1', 'ref')}${textCell('XFD1')}</row><row r="306">${textCell('A306')}</row>`,
    );
    expect(await codeOf(wide, options())).to.equal('TABLE_TOO_LARGE');
    const { header, rows } = await tableOf(strayCell('XFD2'), options());
    expect([header.length, rows.length, rows[0]!.cells[16_383]]).to.deep.equal([16_384, 1, 'x']);
  });

  it('N1: a sheet ends at 1,000 blank rows, also when they are formatted or the last row is XFD1048576', async () => {
    const blank = Array.from({ length: 5_000 }, (_, row) => `<row r="${row + 3}"><c r="A${row + 3}" s="0"/></row>`);
    const head = `<row r="1">${textCell('A1', 'ref')}</row><row r="2">${textCell('A2')}</row>`;
    const far = `<row r="1048576">${textCell('XFD1048576')}</row>`;
    for (const rows of [head + blank.join('') + far, head + far, `${head}${blank.join('')}`]) {
      const read = await tableOf(rawWorkbook(rows), options());
      expect([read.rows.length, read.endLine], rows.slice(-60)).to.deep.equal([1, 2]);
    }
    const gap = await tableOf(rawWorkbook(`${head}<row r="1002">${textCell('A1002')}</row>`), options());
    expect([gap.rows.map(({ line }) => line), gap.endLine]).to.deep.equal([[2, 1_002], undefined]);
  });

  it('N4: a CSV ends at 1,000 blank rows, and its rows arrive in pieces', async () => {
    const blank = await tableOf(`ref,size\nA,1\n${',\n'.repeat(500_000)}B,2\n`, csv());
    expect([blank.rows.length, blank.endLine]).to.deep.equal([1, 2]);
    const between = await tableOf(`ref,size\nA,1\n${',\n'.repeat(999)}B,2\n`, csv());
    expect([between.rows.length, between.endLine]).to.deep.equal([2, undefined]);
    const many = await tableOf(`ref\n${'A\n'.repeat(10_000)}`, csv());
    expect([many.rows.length, many.pieces]).to.deep.equal([10_000, 41]);
    const long = await tableOf(`ref\n${`${'x'.repeat(100_000)}\n`.repeat(9)}`, csv());
    expect(long.pieces, 'pieces of long rows are smaller').to.equal(4);
  });

  it('N4: columns and cells of a CSV are limited', async () => {
    expect(await codeOf(`a\n${','.repeat(16_384)}`, csv())).to.equal('TABLE_TOO_WIDE');
    const limits = { ...LIMITS, cells: 1_000 };
    expect(await codeOf('a,b\n'.repeat(501), csv({ limits }))).to.equal('TABLE_TOO_LARGE');
    expect(await codeOf('a,b\n'.repeat(500), csv({ limits }))).to.equal('read');
  });

  it('N4: the process waits until its rows are asked for, and stops when the caller stops', async () => {
    const content = Buffer.from(`ref\n${'some text\n'.repeat(200_000)}`);
    let rows = 0;
    for await (const piece of readers.read('table', content, csv(), { business: 1 })) {
      if ('rows' in piece) rows += piece.rows.length;
      if (rows > 0) break;
    }
    expect(rows).to.equal(250);
    expect(await codeOf('a\nb\n', csv()), 'the slot is free again').to.equal('read');
  });

  it('N1: a file that ends its process ends nothing else', async () => {
    // Six million shared strings do not fit into the heap of the process.
    const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${`<si><t>${'x'.repeat(90)}${'y'.repeat(9)}</t></si>`.repeat(1)}${Array.from({ length: 900_000 }, (_, n) => `<si><t>${n} of many texts</t></si>`).join('')}</sst>`;
    const relations = rawRelations();
    const heavy = rawWorkbook(`<row r="1">${textCell('A1', 'ref')}</row>`, {
      'xl/sharedStrings.xml': strings,
      'xl/_rels/workbook.xml.rels': relations,
    });
    const small = createFileReaders({
      processes: 1,
      memoryMb: 64,
      seconds: 60,
      maxWaiting: 3,
      onEnded: (_kind, _business, { code }) => ended.push(code),
    });
    try {
      const read = async (content: Buffer) => {
        for await (const _piece of small.read('table', content, options(), { business: 1 }));
      };
      const lost = await read(heavy).catch((error: unknown) => error as { code: string; params: { max: number } });
      expect(lost).to.include({ code: 'FILE_READ_MEMORY' }).and.have.nested.property('params.max', 64);
      expect(ended).to.deep.equal(['FILE_READ_MEMORY']);
      await read(workbook({ S: [['ref'], ['A']] }));
      expect(small.count()).to.equal(1);
    } finally {
      await small.close();
    }
  });

  it('N1: a file that takes too long ends its process', async () => {
    const hasty = createFileReaders({ processes: 1, memoryMb: 256, seconds: 0.001, maxWaiting: 3 });
    try {
      const rows = Array.from({ length: 20_000 }, (_, row) => [`R-${row}`]);
      const reading = hasty.read('table', workbook({ S: [['ref'], ...rows] }), options(), { business: 1 });
      const lost = await reading.next().catch((error: unknown) => error as { code: string });
      expect(lost).to.include({ code: 'FILE_READ_TIME' });
      expect(hasty.count()).to.equal(0);
    } finally {
      await hasty.close();
    }
  });

  it('N4: the number of processes is bounded, files of one business wait, and those of others do not', async () => {
    const content = Buffer.from(`ref\n${'A\n'.repeat(1_000)}`);
    const open = (business: number) => readers.read('table', content, csv(), { business });
    const first = open(7);
    expect((await first.next()).value).to.deep.equal({ header: ['ref'] });
    const waiting = [open(7), open(7), open(7)].map((one) => ({ one, next: one.next() }));
    const tooMany = await open(7)
      .next()
      .catch((error: unknown) => error);
    expect(tooMany).to.be.instanceOf(ReadersBusy);
    const other = open(8);
    expect((await other.next()).value, 'of another business').to.deep.equal({ header: ['ref'] });
    expect(readers.count()).to.equal(2);
    await other.return();
    await first.return();
    for (const { one, next } of waiting) {
      expect((await next).value).to.deep.equal({ header: ['ref'] });
      expect(readers.count()).to.be.at.most(2);
      await one.return();
    }
  });

  it('N4: the content of a waiting or refused file is not loaded', async () => {
    const loaded: string[] = [];
    const open = (name: string) =>
      readers.read(
        'table',
        () => {
          loaded.push(name);
          return Promise.resolve(Buffer.from('ref\nA\n'));
        },
        csv(),
        { business: 9 },
      );
    const first = open('first');
    await first.next();
    const waiting = ['second', 'third', 'fourth'].map((name) => open(name)).map((one) => ({ one, next: one.next() }));
    const tooMany = await open('refused')
      .next()
      .catch((error: unknown) => error);
    expect(tooMany).to.be.instanceOf(ReadersBusy);
    expect(loaded).to.deep.equal(['first']);
    await first.return();
    for (const { one, next } of waiting) {
      expect((await next).value).to.deep.equal({ header: ['ref'] });
      await one.return();
    }
    expect(loaded).to.deep.equal(['first', 'second', 'third', 'fourth']);
  });

  it('N4: a file that cannot be loaded gives its slot back', async () => {
    const missing = () => Promise.reject(new Error('the file is missing'));
    const lost = await readers
      .read('table', missing, csv(), { business: 9 })
      .next()
      .catch((error: unknown) => error);
    expect(lost).to.have.property('message', 'the file is missing');
    expect(await codeOf('a\nb\n', csv())).to.equal('read');
  });

  it('N1: a process is reused for its own business only', async () => {
    const pids = () => childrenOf(process.pid).sort();
    const single = createFileReaders({ processes: 1, memoryMb: 128, seconds: 60, maxWaiting: 3 });
    await readers.close();
    try {
      const read = async (business: number) => {
        for await (const _piece of single.read('table', Buffer.from('a\nb\n'), csv(), { business }));
        return pids();
      };
      const [one, again, other] = [await read(1), await read(1), await read(2)];
      expect(one).to.have.length(1);
      expect(again).to.deep.equal(one);
      expect(other).to.have.length(1).and.not.deep.equal(one);
    } finally {
      await single.close();
      await eventually(() => pids().length === 0, 'no reader process');
    }
  });

  it('N1: a process has no environment of the service', async () => {
    process.env['SECRET_OF_THIS_TEST'] = 'secret';
    const reader = startReaderProcess({ memoryMb: 128, seconds: 60 });
    try {
      await reader.read('table', Buffer.from('a\nb\n'), csv()).next();
      const [pid] = childrenOf(process.pid);
      const environment = execFileSync('cat', [`/proc/${pid}/environ`], { encoding: 'latin1' });
      expect(environment).to.not.include('SECRET_OF_THIS_TEST').and.not.include('PATH=');
    } finally {
      delete process.env['SECRET_OF_THIS_TEST'];
      await reader.end();
    }
  });
});

const rawRelations = (): string => {
  const office = 'http://schemas.openxmlformats.org';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  return `<Relationships xmlns="${office}/package/2006/relationships">${relation('b', 'worksheet', 'worksheets/sheet1.xml')}${relation('c', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`;
};

/** Ids of the reader processes of a process. */
function childrenOf(parent: number): string[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(parent)], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => line.includes('file-reader/child.js'))
    .map((line) => line.trim().split(' ')[0]!);
}
