/** Sets the texts of a label: their fonts, lines and positions, the same for all writers. */
import { loadFonts, type Run } from '../printing/font-map.js';
import type { Weight } from '../printing/fonts.js';
import { BASELINE, fitLines, LINE_HEIGHT } from '../printing/lines.js';
import type { LabelLayout, TextBox } from './layout.js';

/** Lengths in millimetres. */
export interface PlacedLine {
  readonly text: string;
  /** Left edge and baseline. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Font size. */
  readonly size: number;
  readonly runs: readonly Run[];
  readonly box: TextBox;
}

export interface Typeset extends Omit<LabelLayout, 'texts'> {
  readonly lines: readonly PlacedLine[];
}

/** Throws `MissingFont`. */
export async function typeset({ texts, ...layout }: LabelLayout): Promise<Typeset> {
  const weights = (box: TextBox): Weight[] => [...new Set([0, 1].map((paragraph) => weightOf(box, paragraph)))];
  const fonts = await loadFonts(
    texts.flatMap((box) => weights(box).map((weight) => ({ text: box.text, country: box.country, weight }))),
  );
  const widths = new Map<string, number>();
  /** Measures each word once: the lines are tried in several sizes and breaks. */
  const advanceOf = ({ font: { name, font }, text }: Run): number => {
    let sum = 0;
    for (const word of text.split(/(?<= )/)) {
      const key = `${name} ${word}`;
      let width = widths.get(key);
      if (width === undefined) widths.set(key, (width = font.layout(word).advanceWidth / font.unitsPerEm));
      sum += width;
    }
    return sum;
  };

  const lines = texts.flatMap((box): PlacedLine[] => {
    const runsOf = (line: string, paragraph: number) => fonts.runsOf(line, box.country, weightOf(box, paragraph));
    const widthOf = (line: string, size: number, paragraph: number): number =>
      runsOf(line, paragraph).reduce((sum, run) => sum + advanceOf(run), 0) * size;
    const { size, lines } = fitLines(box.text, box, widthOf);
    return lines.map(({ text, paragraph }, index) => {
      const width = widthOf(text, size, paragraph);
      const free = box.width - width;
      return {
        text,
        x: box.x + (box.align === 'right' ? free : box.align === 'center' ? free / 2 : 0),
        y: box.y + size * (LINE_HEIGHT * index + BASELINE),
        width,
        size,
        runs: runsOf(text, paragraph),
        box,
      };
    });
  });
  return { ...layout, lines };
}

const weightOf = ({ bold }: TextBox, paragraph: number): Weight =>
  bold === 'all' || (bold === 'first' && paragraph === 0) ? 700 : 400;
