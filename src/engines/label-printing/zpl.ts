/**
 * Writes a label in the Zebra Programming Language (ZPL II) for 203 dpi. The printer draws the barcode and Latin texts
 * itself. Texts with other characters are images, because printers have no fonts for them.
 */
import type { Barcode } from './layout.js';
import { rasterOf } from './raster.js';
import { dots, outlinesOf, svgOf } from './svg.js';
import type { PlacedLine, Typeset } from './typeset.js';

/** Characters of Latin-1, which the scalable font of each printer contains. */
const IN_PRINTER = /^[\x20-\x7e\xa0-\xff]*$/;
/** Characters without a meaning in field data and in field blocks. All others are written as hexadecimal bytes. */
const PLAIN = /^[A-Za-z0-9 ./()-]$/;
const FNC1 = '>8';
const CODE_C = '>;';
const BLACK_BELOW = 128;
/** Fractions of the font size above and below the baseline that a glyph of any script may take. */
const ABOVE = 1.1;
const BELOW = 0.4;

export async function writeZpl({ page, lines, rules, barcode }: Typeset): Promise<Uint8Array> {
  const fields: string[] = [];
  for (const line of lines) fields.push(IN_PRINTER.test(line.text) ? textField(line) : await imageField(line));
  const zpl = [
    '^XA',
    '^CI28',
    `^PW${dots(page.width)}`,
    `^LL${dots(page.height)}`,
    '^LH0,0',
    ...rules.map(({ x, y, width, height }) => {
      const [across, down] = [dots(width), dots(height)];
      return `^FO${dots(x)},${dots(y)}^GB${across},${down},${Math.min(across, down)}^FS`;
    }),
    ...fields,
    barcodeField(barcode),
    '^XZ',
    '',
  ];
  return Buffer.from(zpl.join('\n'), 'latin1');
}

/** The printer's font is narrower than the one that the line was measured with, so that the line fits. */
function textField({ text, x, y, size, box }: PlacedLine): string {
  const font = `^A0N,${dots(size)},${dots(size)}`;
  if (box.align === 'left') return `^FT${dots(x)},${dots(y)}${font}^FH^FD${escaped(text)}^FS`;
  const block = `^FB${dots(box.width)},1,0,${box.align === 'right' ? 'R' : 'C'}`;
  return `^FT${dots(box.x)},${dots(y)}${font}${block}^FH^FD${escaped(text)}^FS`;
}

/** No text can end its field or start a command: the prefixes `^` and `~` never occur in field data. */
const escaped = (text: string): string =>
  [...text]
    .map((character) =>
      PLAIN.test(character)
        ? character
        : [...Buffer.from(character)].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )
    .join('');

const barcodeField = ({ x, y, module, height, data }: Barcode): string =>
  `^FO${dots(x)},${dots(y)}^BY${dots(module)}^BCN,${dots(height)},N,N,N^FD${CODE_C}${FNC1}${data}^FS`;

/** The line as a bitmap. A comma fills the rest of a row with white. */
async function imageField(line: PlacedLine): Promise<string> {
  const left = dots(line.x);
  const top = dots(line.y - line.size * ABOVE);
  const perRow = Math.ceil((dots(line.width) + 1) / 8);
  const { grey, width, height } = await rasterOf(
    svgOf(perRow * 8, dots(line.size * (ABOVE + BELOW)), outlinesOf([line], left, top)),
  );
  let rows = '';
  for (let y = 0; y < height; y++) {
    let row = '';
    for (let byte = 0; byte < perRow; byte++) {
      let bits = 0;
      for (let bit = 0; bit < 8; bit++) bits = bits * 2 + (grey[y * width + byte * 8 + bit]! < BLACK_BELOW ? 1 : 0);
      row += bits.toString(16).toUpperCase().padStart(2, '0');
    }
    rows += row.replace(/(00)+$/, ',');
  }
  const total = perRow * height;
  return `^FO${left},${Math.max(0, top)}^GFA,${total},${total},${perRow},${rows}^FS`;
}
