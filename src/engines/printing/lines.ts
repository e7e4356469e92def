/** Breaks a text into lines that fit into a box. */

export interface LineBox {
  readonly width: number;
  readonly height: number;
  /** Font size. */
  readonly size: number;
}

export interface FittedLine {
  readonly text: string;
  /** Position of its paragraph in the text, from 0. */
  readonly paragraph: number;
}

export interface FittedText {
  readonly size: number;
  readonly lines: readonly FittedLine[];
}

/** The printed width of a line in this font size. */
export type WidthOf = (line: string, size: number, paragraph: number) => number;

export const LINE_HEIGHT = 1.25;
/** Distance of the baseline from the top of the line, as a fraction of the font size. */
export const BASELINE = 0.95;
export const ELLIPSIS = '…';
const SMALLEST = 0.6;
const SHRINK = 0.92;

/** Invisible characters and pictographs, which no address needs. */
const INVISIBLE = /[\p{Cf}\p{Co}\u{fe00}-\u{fe0f}\u{1f1e6}-\u{1f1ff}]|(?![©®™])\p{Extended_Pictographic}/gu;
/** A line may break after each of these. */
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/** The characters that are printed. */
export const cleanText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]+/gu, ' ');

/** Text that does not fit is printed smaller, and shortened only if that is not enough. */
export function fitLines(text: string, box: LineBox, widthOf: WidthOf): FittedText {
  const paragraphs = cleanText(text).split('\n');
  const linesIn = (size: number): FittedLine[] =>
    paragraphs.flatMap((paragraph, index) =>
      breakLines(paragraph, box.width, (line) => widthOf(line, size, index)).map((line) => ({
        text: line,
        paragraph: index,
      })),
    );
  const fitting = (size: number) => Math.max(1, Math.floor((box.height + 0.01) / (size * LINE_HEIGHT)));

  let size = box.size;
  let lines = linesIn(size);
  while (lines.length > fitting(size) && size * SHRINK >= box.size * SMALLEST) {
    size *= SHRINK;
    lines = linesIn(size);
  }
  if (lines.length > fitting(size)) {
    lines = lines.slice(0, fitting(size));
    const { text: cut, paragraph } = lines.pop()!;
    let last = cut;
    while (last !== '' && widthOf(`${last}${ELLIPSIS}`, size, paragraph) > box.width)
      last = [...last].slice(0, -1).join('');
    lines.push({ text: `${last}${ELLIPSIS}`, paragraph });
  }
  return { size, lines };
}

/** Fills lines greedily; a word that is longer than a line is split. */
function breakLines(paragraph: string, width: number, widthOf: (line: string) => number): string[] {
  const lines = [''];
  for (const piece of paragraph.match(PIECES) ?? []) {
    const parts = widthOf(piece) > width ? [...piece] : [piece];
    for (const part of parts) {
      if (widthOf(`${lines.at(-1)}${part}`.trimEnd()) > width && lines.at(-1) !== '') lines.push('');
      if (lines.at(-1) !== '' || part.trim() !== '') lines[lines.length - 1] += part;
    }
  }
  return lines.map((line) => line.trimEnd());
}
