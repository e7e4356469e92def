/** Breaks a text into lines that fit into a box. */

export interface LineBox {
  readonly width: number;
  readonly height: number;
  /** Font size. */
  readonly size: number;
  /** Shortens long paragraphs before others disappear: a long name must not hide the street. Default: false. */
  readonly keepsParagraphs?: boolean;
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
  let lines: readonly FittedLine[] = linesIn(size);
  while (lines.length > fitting(size) && size * SHRINK >= box.size * SMALLEST) {
    size *= SHRINK;
    lines = linesIn(size);
  }
  const most = fitting(size);
  if (lines.length <= most) return { size, lines };
  const shorten = (line: string, paragraph: number): FittedLine => ({
    text: shortened(line, (shorter) => widthOf(shorter, size, paragraph) <= box.width),
    paragraph,
  });
  if (box.keepsParagraphs)
    lines = shares(lines, most).flatMap((share, index) => {
      const own = lines.filter(({ paragraph }) => paragraph === index);
      if (own.length <= share) return own;
      return [...own.slice(0, share - 1), shorten(restOf(paragraphs[index]!, own.slice(0, share - 1)), index)];
    });
  if (lines.length <= most) return { size, lines };
  const last = lines[most - 1]!;
  return { size, lines: [...lines.slice(0, most - 1), shorten(last.text, last.paragraph)] };
}

/** Number of lines per paragraph, at least one each: the longest paragraphs lose lines until all paragraphs fit. */
function shares(lines: readonly FittedLine[], most: number): readonly number[] {
  const counts: number[] = [];
  for (const { paragraph } of lines) counts[paragraph] = (counts[paragraph] ?? 0) + 1;
  for (let excess = lines.length - most; excess > 0; excess--) {
    const longest = Math.max(...counts);
    if (longest === 1) break;
    counts[counts.indexOf(longest)] = longest - 1;
  }
  return counts;
}

/** The part of a paragraph that follows its first lines. */
function restOf(paragraph: string, lines: readonly FittedLine[]): string {
  const end = lines.reduce((at, { text }) => paragraph.indexOf(text, at) + text.length, 0);
  return paragraph.slice(end).trimStart();
}

/** The longest beginning of the line that fits together with an ellipsis. */
function shortened(line: string, fits: (text: string) => boolean): string {
  const characters = [...line];
  const text = (length: number): string => `${characters.slice(0, length).join('')}${ELLIPSIS}`;
  let [kept, tooLong] = [0, characters.length + 1];
  while (tooLong - kept > 1) {
    const middle = Math.floor((kept + tooLong) / 2);
    if (fits(text(middle))) kept = middle;
    else tooLong = middle;
  }
  return text(kept);
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
