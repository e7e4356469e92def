/** Writes shapes as SVG, one unit per dot. Texts are outlines, so that the renderer needs no fonts. */
import type { Typeset, PlacedLine } from './typeset.js';
import { DOTS_PER_MM } from './frames.js';

export const dots = (mm: number): number => Math.round(mm * DOTS_PER_MM);
const fine = (value: number): number => Math.round(value * 1_000) / 1_000;

export function svgOf(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

/** Bars and rules have whole dots as edges: a blurred edge makes a barcode unreadable. */
export function shapesOf({ rules, barcode }: Pick<Typeset, 'rules' | 'barcode'>): string {
  const boxes = rules.map(({ x, y, width, height }) => rectangle(dots(x), dots(y), dots(width), dots(height)));
  const module = dots(barcode.module);
  let at = dots(barcode.x);
  barcode.widths.forEach((modules, index) => {
    if (index % 2 === 0) boxes.push(rectangle(at, dots(barcode.y), modules * module, dots(barcode.height)));
    at += modules * module;
  });
  return boxes.join('');
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`;

/** Outlines of the lines. Each glyph is defined once. The origin of the result is at (`left`, `top`), in dots. */
export function outlinesOf(lines: readonly PlacedLine[], left = 0, top = 0): string {
  const ids = new Map<string, string>();
  const definitions: string[] = [];
  const uses: string[] = [];
  for (const { x, y, size, runs } of lines) {
    let at = x * DOTS_PER_MM - left;
    const base = y * DOTS_PER_MM - top;
    for (const { font, text } of runs) {
      const scale = (size * DOTS_PER_MM) / font.font.unitsPerEm;
      const { glyphs, positions } = font.font.layout(text);
      glyphs.forEach((glyph, index) => {
        const { xAdvance, xOffset, yOffset } = positions[index]!;
        const key = `${font.name} ${glyph.id}`;
        let id = ids.get(key);
        if (id === undefined) {
          ids.set(key, (id = `g${ids.size}`));
          definitions.push(`<path id="${id}" d="${glyph.path.toSVG()}"/>`);
        }
        const place = [scale, 0, 0, -scale, at + xOffset * scale, base - yOffset * scale].map(fine);
        uses.push(`<use href="#${id}" transform="matrix(${place.join(' ')})"/>`);
        at += xAdvance * scale;
      });
    }
  }
  return `<defs>${definitions.join('')}</defs>${uses.join('')}`;
}
