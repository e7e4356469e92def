/** Printed labels: a third-party reader decodes the barcode, and the letters of many scripts are complete (U3). */
import { writeFile } from 'node:fs/promises';
import { createCanvas } from '@napi-rs/canvas';
import { expect } from 'chai';
import { issueLabels } from '../../../src/api/areas/orders/label.js';
import type { Order } from '../../../src/projections/orders/queries.js';
import { createMemoryLog } from '../../support/fakes/memory-log.js';
import { barcodeIn, picturesOf, type PagePicture } from '../../support/validators/pdf-pictures.js';
import { CALL, createTestIssue } from '../../support/worlds/document-issue.js';

/** Every letter of Latin-1 and Latin Extended-A, and additional letters of Romanian, Welsh and German. */
const EUROPEAN = [...Array.from({ length: 0x180 - 0xc0 }, (_, at) => String.fromCodePoint(0xc0 + at)), ...'ȘșȚțẀẁẂẃẄẅẞ']
  // Two of these are not letters, and the third is obsolete.
  .filter((letter) => !'×÷ŉ'.includes(letter))
  .join('');

const PEOPLE = {
  European: {
    name: EUROPEAN.slice(0, 70),
    company: EUROPEAN.slice(70, 140),
    street: EUROPEAN.slice(140),
    country: 'PL',
  },
  Vietnamese: { name: 'Nguyễn Thị Ngọc Ánh Ằẳẵặ Ếểễệ Ỗộ Ướửữự Ỳỵỷỹ', street: '12 Đường Trần Hưng Đạo', country: 'VN' },
  Greek: { name: 'Ελένη Παπαδοπούλου ΐΰ Ϋϊ Άέήίόύώς', street: 'Οδός Ερμού 15', country: 'GR' },
  Cyrillic: {
    name: 'Алексей Щёкин Ґалина Їжакевич Ђорђе Љиљана Ўў Ѓоце',
    street: 'Невский проспект 20',
    country: 'RU',
  },
  Devanagari: { name: 'प्रिया शर्मा', street: 'महात्मा गांधी मार्ग १२', country: 'IN' },
  'simplified Chinese': { name: '王小明 张伟 骨', street: '长安街100号', country: 'CN' },
  'traditional Chinese': { name: '陳怡君 骨', street: '忠孝東路四段218號', country: 'TW' },
  Japanese: { name: '髙橋 さくら カタカナ 骨', street: '渋谷区神南一丁目19番11号', country: 'JP' },
  Korean: { name: '김민준 뷁', street: '세종대로 110', country: 'KR' },
} as const;
const NAMES = Object.keys(PEOPLE) as (keyof typeof PEOPLE)[];
const SENDER = { company: 'Kraków Łączność Sp. z o.o.', street: 'Rynek 1', city: 'Kraków', country: 'PL' };

const numberOf = (index: number): string => `OTW5VBN3D75C5${index}`;
/** Letters of `written` that the text lacks, counted with repetitions. */
function missing(text: string, written: string): string[] {
  const left = [...text];
  return [...written].filter((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
const bare = (text: string): string => text.normalize('NFC').replaceAll(/\s/g, '');

describe('printed labels', () => {
  let pages: readonly PagePicture[];

  before(async () => {
    const orders = NAMES.map((name, index) => ({
      id: 40 + index,
      business: 1,
      created_at: '2026-03-01T10:00:00.000Z',
      type: 'D',
      delivery: PEOPLE[name],
      packages: [{ tracking_number: numberOf(index), weight: 1.5 }],
    }));
    const { bytes } = await issueLabels(
      createTestIssue(createMemoryLog()),
      orders as unknown as Order[],
      ({ delivery }) => ({ from: SENDER, to: delivery ?? {} }),
      'Labels',
      CALL,
    );
    pages = await picturesOf(bytes);
    // For visual inspection: LABEL_PICTURES=/tmp/labels.png npx mocha dist/test/api/orders/label-pictures.test.js
    const file = process.env['LABEL_PICTURES'];
    if (file) await writeFile(file, sheetOf(pages));
  });

  for (const [index, name] of NAMES.entries())
    it(`in ${name}: the barcode is readable, and every letter is printed`, () => {
      const { canvas, text } = pages[index]!;
      expect(barcodeIn(canvas)).to.equal(numberOf(index));
      const { name: person, street } = PEOPLE[name];
      // Some vowel signs are drawn before the consonant that they follow in the text, and are read back in that order.
      if (name === 'Devanagari') expect(missing(text, bare(person + street)), text).to.deep.equal([]);
      else expect(text).to.include(bare(person)).and.include(bare(street));
      expect(text).to.include(bare(SENDER.company)).and.include(numberOf(index));
    });

  it('are readable by a scanner at other sizes and angles', () => {
    const [{ canvas }] = pages as [PagePicture];
    for (const [scale, turn] of [
      [0.75, 0],
      [1, 3],
      [1, 180],
      [1.5, 0],
    ] as const)
      expect(barcodeIn(turned(canvas, scale, turn)), `${scale} ${turn}`).to.equal(numberOf(0));
  });

  it('differ for each person: no letter is an empty box or missing', () => {
    // Letters that a font lacks would be drawn as the same empty box everywhere.
    const seen = new Set(pages.map(({ canvas }) => addressPixels(canvas)));
    expect(seen.size).to.equal(NAMES.length);
    for (const { canvas } of pages) expect(dark(canvas)).to.be.above(500);
  });
});

/** The pixels of the recipient's address on a 4 by 6 inch page. */
function addressOf(canvas: PagePicture['canvas']) {
  const [x, y, width, height] = [48 / 288, 144 / 432, 222 / 288, 130 / 432];
  return canvas
    .getContext('2d')
    .getImageData(
      Math.round(x * canvas.width),
      Math.round(y * canvas.height),
      Math.round(width * canvas.width),
      Math.round(height * canvas.height),
    ).data;
}
const addressPixels = (canvas: PagePicture['canvas']): string => Buffer.from(addressOf(canvas)).toString('base64');
const dark = (canvas: PagePicture['canvas']): number => {
  const data = addressOf(canvas);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at]! < 128) count++;
  return count;
};

function turned(canvas: PagePicture['canvas'], scale: number, degrees: number): PagePicture['canvas'] {
  const made = createCanvas(Math.round(canvas.width * scale), Math.round(canvas.height * scale));
  const context = made.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, made.width, made.height);
  context.translate(made.width / 2, made.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(canvas, -made.width / 2, -made.height / 2, made.width, made.height);
  return made;
}

function sheetOf(pages: readonly PagePicture[]): Buffer {
  const sheet = createCanvas(1_600, 600 * Math.ceil(pages.length / 4));
  for (const [index, { canvas }] of pages.entries())
    sheet.getContext('2d').drawImage(canvas, (index % 4) * 400, Math.floor(index / 4) * 600, 400, 600);
  return sheet.toBuffer('image/png');
}
