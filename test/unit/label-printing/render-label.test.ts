/** Printed labels: equal bytes, complete texts, a clear barcode, and texts that cannot become commands. */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidLabel } from '../../../src/engines/label-printing/check-label.js';
import { layoutOf } from '../../../src/engines/label-printing/layout.js';
import { renderLabel } from '../../../src/engines/label-printing/render-label.js';
import { typeset } from '../../../src/engines/label-printing/typeset.js';
import type { PrintedLabel } from '../../../src/engines/outside/carriers/services.js';
import { LABEL_FORMATS, LABEL_SIZES, type CarrierStop } from '../../../src/engines/outside/carriers/shipment.js';
import { MissingFont } from '../../../src/engines/printing/missing-font.js';
import { atDepth } from '../../support/depth.js';
import { anyLabel, LABEL, ssccOf } from '../../support/inputs/printed-labels.js';
import { canvasOf, codesIn, hasInk, PAPER, printZpl } from '../../support/validators/label-decoders.js';
import { picturesOf } from '../../support/validators/pdf-pictures.js';
import { SEED } from '../../support/worlds/seed.js';

const rejection = (label: unknown): Promise<unknown> =>
  renderLabel(label as PrintedLabel, 'zpl', '4x6').then(
    () => undefined,
    (error: unknown) => error,
  );
const to = (stop: Partial<CarrierStop>): PrintedLabel => ({ ...LABEL, to: { ...LABEL.to, ...stop } });
/** Hash of the PDF as a process creates it that printed nothing before. */
async function hashInNewProcess(label: PrintedLabel): Promise<string> {
  const module = new URL('../../../src/engines/label-printing/render-label.js', import.meta.url).href;
  const program = `
    const { renderLabel } = await import(${JSON.stringify(module)});
    const pdf = await renderLabel(${JSON.stringify(label)}, 'pdf', '4x6');
    process.stdout.write((await import('node:crypto')).hash('sha256', pdf));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout;
}
const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, '');

describe('printing labels', () => {
  it('creates equal bytes for equal labels, and other bytes for another text', async () => {
    for (const format of LABEL_FORMATS)
      for (const size of LABEL_SIZES) {
        const one = await renderLabel(LABEL, format, size);
        const again = await renderLabel(structuredClone(LABEL), format, size);
        expect(Buffer.compare(one, again), `${format} ${size}`).to.equal(0);
        expect(Buffer.compare(one, await renderLabel(to({ street: 'Other 1' }), format, size))).to.not.equal(0);
      }
  });

  it('creates bytes that do not depend on earlier labels of the process', async () => {
    const label = to({ name: 'nuya ffi प्रिया', street: 'мир' });
    const fresh = await hashInNewProcess(label);
    // Letters with marks leave the letters without marks in the font, and conjuncts leave their parts.
    for (const name of ['ñüÿâ', 'क्षत्रिय ज्ञान', 'fl fi', 'йёї']) await renderLabel(to({ name }), 'pdf', '4x6');
    expect(hash('sha256', await renderLabel(label, 'pdf', '4x6'))).to.equal(fresh);
  });

  it('prints all texts of the label in each size', async () => {
    for (const size of LABEL_SIZES) {
      const [page, ...others] = await picturesOf(await renderLabel(LABEL, 'pdf', size));
      expect(others, 'one page').to.have.length(0);
      const texts = Object.values({ ...LABEL.from, ...LABEL.to, reference: LABEL.order_ref!, date: LABEL.ship_date });
      for (const text of [...texts, LABEL.carrier, LABEL.service, '1 / 3', '12.5 kg', 'DE 10115'])
        expect(page!.text, size).to.include(withoutBlanks(text!));
      expect(page!.text, size).to.include(`(00)${LABEL.number.value}`);
    }
  });

  it('has the size of the paper', async () => {
    for (const size of LABEL_SIZES) {
      const [width, height] = PAPER[size];
      const pdf = Buffer.from(await renderLabel(LABEL, 'pdf', size)).toString('latin1');
      const [, across, down] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!;
      expect(Number(across), size).to.be.closeTo((width * 72) / 25.4, 0.01);
      expect(Number(down), size).to.be.closeTo((height * 72) / 25.4, 0.01);
      const png = Buffer.from(await renderLabel(LABEL, 'png', size));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], size).to.deep.equal([
        Math.round(width * 8),
        Math.round(height * 8),
      ]);
      const resolution = png.indexOf('pHYs') + 4;
      expect([png.readUInt32BE(resolution), png[resolution + 8]], 'pixels per metre').to.deep.equal([8_000, 1]);
      const data = png.indexOf('IDAT');
      const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
      expect(rows, size).to.have.length((Math.round(width * 8) + 1) * Math.round(height * 8));
    }
  });

  it('keeps the quiet zones and the bars free of texts, and each line within its part', async () => {
    for (const [index, label] of fc.sample(anyLabel, { numRuns: atDepth(1_000, 60), seed: SEED }).entries())
      for (const size of LABEL_SIZES) {
        const { barcode, lines, page } = await typeset(layoutOf(label, size));
        const quiet = 10 * barcode.module;
        const end = barcode.x + 156 * barcode.module;
        expect([barcode.x >= quiet, end + quiet <= page.width], size).to.deep.equal([true, true]);
        for (const { text, x, y, width, size: fontSize, box } of lines) {
          const name = `SEED=${SEED} label ${index} ${size}: ${text}`;
          expect(x, name).to.be.at.least(box.x - 0.001);
          expect(x + width, name).to.be.at.most(box.x + box.width + 0.001);
          const [top, bottom] = [y - 0.9 * fontSize, y + 0.3 * fontSize];
          expect(top, name).to.be.at.least(box.y - 0.3);
          expect(bottom, name).to.be.at.most(box.y + box.height + 0.3);
          expect(bottom <= barcode.y || top >= barcode.y + barcode.height, name).to.equal(true);
        }
      }
  });

  it('prints the same lines at the same places in all formats', async () => {
    for (const label of [LABEL, to({ name: 'Ελένη Παπαδοπούλου', street: 'Łukasza 5 \\& Co', city: '東京都' })])
      for (const size of LABEL_SIZES) {
        const { lines } = await typeset(layoutOf(label, size));
        const png = await canvasOf(await renderLabel(label, 'png', size));
        const zpl = await canvasOf(await printZpl(await renderLabel(label, 'zpl', size), size));
        const pdf = (await picturesOf(await renderLabel(label, 'pdf', size), 203.2))[0]!.canvas;
        for (const { text, x, y, width, size: fontSize } of lines) {
          const area = { x, y: y - 0.7 * fontSize, width: width / 2, height: 0.7 * fontSize };
          expect([hasInk(png, area), hasInk(zpl, area), hasInk(pdf, area)], `${size} ${text}`).to.deep.equal([
            true,
            true,
            true,
          ]);
        }
        for (const canvas of [png, zpl, pdf]) {
          const below = lines.filter(({ box }) => box.text.startsWith('(00)')).map(({ y }) => y + 2.5)[0]!;
          const [paperWidth, paperHeight] = PAPER[size];
          const empty = { x: 0, y: below, width: paperWidth - 0.5, height: paperHeight - below - 0.5 };
          expect(hasInk(canvas, empty), `${size}: nothing below the number`).to.equal(false);
        }
      }
  });

  it('shortens long lines of an address, and keeps each of them', async () => {
    const long = (word: string): string => `${word} `.repeat(60).slice(0, 255);
    const label = to({
      name: long('Name'),
      company: long('Company'),
      street: long('Street'),
      street_2: long('Stairs'),
      city: long('City'),
      phone: '+49 30 1234567',
    });
    for (const size of LABEL_SIZES) {
      const [page] = await picturesOf(await renderLabel(label, 'pdf', size));
      const [, printed = ''] = /TO(Name.*)/.exec(page!.text)!;
      expect(printed, size).to.match(
        /^(Name)+.*(Company)+.*(Street)+.*(Stairs)+.*10115(City)+.*DE\+49301234567DE10115/,
      );
      expect(printed, 'shows that text is missing').to.include('…');
    }
  });

  it('prints the scripts of addresses, and reports characters that no font contains', async () => {
    const names = [
      'Łukasz Żółć',
      'Nguyễn Thị Ngọc Ánh',
      'Ελένη',
      'Алексей Щёкин',
      'प्रिया शर्मा',
      '髙橋 さくら',
      '陳怡君',
      '김민준',
    ];
    for (const name of names) {
      const label = to({ name });
      const [page] = await picturesOf(await renderLabel(label, 'pdf', '4x6'));
      // Conjuncts are one glyph, which a viewer does not copy as its letters. A mark below a letter is a separate glyph,
      // which it copies as a control character.
      if (!/\p{Script=Devanagari}/u.test(name))
        expect(page!.text.replaceAll(/\p{Cc}/gu, '')).to.include(withoutBlanks(name));
      for (const format of ['png', 'zpl'] as const)
        expect(await renderLabel(label, format, '4x6'), name).to.have.length.above(1_000);
    }
    const error = await rejection(to({ name: 'أحمد Ada' }));
    expect(error).to.be.instanceOf(MissingFont);
    expect((error as MissingFont).characters).to.deep.equal(['أ', 'ح', 'م', 'د']);
    expect((error as MissingFont).message, 'no personal data').to.not.include('أ');
  });

  it('prints hostile texts in ZPL as texts', async () => {
    const hostile = '^XZ^XA^FO10,10^FDForged^FS~JA\u0000\n\r^CC#\u007f';
    for (const text of [hostile, `_5EXZ${hostile}`, `é^XZ~${'\u0007'}`]) {
      const stop = { name: text, company: text, street: text, street_2: text, city: text, region: text, country: 'DE' };
      const label = {
        ...LABEL,
        carrier: text,
        service: text,
        order_ref: text,
        from: stop,
        to: { ...stop, postal_code: text },
      };
      const zpl = Buffer.from(await renderLabel(label, 'zpl', '4x6')).toString('latin1');
      const plain = Buffer.from(await renderLabel(LABEL, 'zpl', '4x6')).toString('latin1');
      // Shortened lines are images, because they contain an ellipsis.
      const commands = (of: string): string[] =>
        [...new Set(of.match(/[\^~][A-Z0-9]{2}/g))].filter((command) => command !== '^GF').sort();
      expect(commands(zpl)).to.deep.equal(commands(plain));
      expect([zpl.match(/\^XA/g), zpl.match(/\^XZ/g)]).to.deep.equal([['^XA'], ['^XZ']]);
      expect(zpl)
        .to.match(/^[\x20-\x7e\n]*$/)
        .and.to.not.include('~');
      expect(await codesIn(await printZpl(Buffer.from(zpl, 'latin1'), '4x6'))).to.deep.equal([
        { symbology: ']C1', text: `(00)${LABEL.number.value}` },
      ]);
    }
  });

  it('rejects labels with long texts, wrong numbers and unknown members of the wrong type', async () => {
    const wrong: [string, unknown][] = [
      ['/carrier', { ...LABEL, carrier: 'x'.repeat(256) }],
      ['/order_ref', { ...LABEL, order_ref: 'x'.repeat(256) }],
      ['/to/street', to({ street: 'x'.repeat(256) })],
      ['/to/country', to({ country: 'Germany' })],
      ['/number/value', { ...LABEL, number: { scheme: 'sscc', value: '340123450000000018' } }],
      ['/number/value', { ...LABEL, number: { scheme: 'sscc', value: '34012345000000001' } }],
      ['/number/value', { ...LABEL, number: { scheme: 'sscc', value: '^FD123450000000017' } }],
      ['/ship_date', { ...LABEL, ship_date: '2026-13-01' }],
      ['/weight_kg', { ...LABEL, weight_kg: Number.NaN }],
      ['/piece', { ...LABEL, piece: [4, 3] }],
    ];
    for (const [path, label] of wrong) {
      const error = await rejection(label);
      expect(error, path).to.be.instanceOf(InvalidLabel);
      expect((error as Error).message)
        .to.match(new RegExp(`^${path}: `))
        .and.to.not.include('xxx');
    }
    expect(await rejection({ ...LABEL, number: { scheme: 'sscc', value: ssccOf('00000000000000000') } })).to.equal(
      undefined,
    );
  });

  it('prints the document number of a stamp, and uses its file id', async () => {
    const stamp = { number: 'D-0123456789', fileId: Buffer.alloc(16, 0xab) };
    for (const size of LABEL_SIZES) {
      const pdf = await renderLabel(LABEL, 'pdf', size, stamp);
      const id = `<${'ab'.repeat(16)}>`;
      expect(Buffer.from(pdf).toString('latin1')).to.include(`/ID [${id} ${id}]`);
      expect((await picturesOf(pdf))[0]!.text).to.include(stamp.number);
    }
    expect((await picturesOf(await renderLabel(LABEL, 'pdf', '4x6')))[0]!.text).to.not.include('D-');
  });
});
