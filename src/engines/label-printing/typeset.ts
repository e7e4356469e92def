/** Sets the texts of a label: their fonts, lines and positions, the same for all writers. */
import { loadFonts, type FontMap, type Run } from '../printing/font-map.js';
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
  readonly fonts: FontMap['fonts'];
}

/** Throws `MissingFont`. */
export async function typeset({ texts, ...layout }: LabelLayout): Promise<Typeset> {
  const weights = (box: TextBox): Weight[] => [...new Set([0, 1].map((paragraph) => weightOf(box, paragraph)))];
  const fonts = await loadFonts(
    texts.flatMap((box) => weights(box).map((weight) => ({ text: box.text, country: box.country, weight }))),
  );
  const lines = texts.flatMap((box): PlacedLine[] => {
    const runsOf = (line: string, paragraph: number) => fonts.runsOf(line, box.country, weightOf(box, paragraph));
    const advances = new Map<string, number>();
    /** Adds up characters, each measured once. Kerning and ligatures only make a line narrower. */
    const widthOf = (line: string, size: number, paragraph: number): number => {
      let sum = 0;
      for (const character of line) {
        const key = `${character}${weightOf(box, paragraph)}`;
        let advance = advances.get(key);
        if (advance === undefined) advances.set(key, (advance = advanceOf(runsOf(character, paragraph)[0]!)));
        sum += advance;
      }
      return sum * size;
    };
    const { size, lines } = fitLines(box.text, { ...box, keepsParagraphs: true }, widthOf);
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
  return { ...layout, lines, fonts: fonts.fonts };
}

const weightOf = ({ bold }: TextBox, paragraph: number): Weight =>
  bold === 'all' || (bold === 'first' && paragraph === 0) ? 700 : 400;

const advanceOf = ({ font: { font }, text }: Run): number =>
  font.glyphForCodePoint(text.codePointAt(0)!).advanceWidth / font.unitsPerEm;
