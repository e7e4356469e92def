/** Prints text of any language on a PDF: each character in a font that contains it, in lines that fit. */
import { ApiError } from '../errors.js';
import { fontOf } from './fonts.js';

/** A text and the country (ISO 3166-1 alpha-2) whose shapes of characters it uses. */
export interface Printed {
  readonly text: string;
  readonly country?: string | undefined;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly align?: 'left' | 'right' | 'center';
}

/** Draws prepared text. Text that does not fit is printed smaller, and shortened only if that is not enough. */
export type Draw = (printed: Printed, box: Box) => void;

const LINE_HEIGHT = 1.25;
/** Distance of the baseline from the top of the line, as a fraction of the font size. */
const BASELINE = 0.95;
const SMALLEST = 0.6;
const SHRINK = 0.92;
const ELLIPSIS = '…';

/** Invisible characters and pictographs, which no address needs. */
const INVISIBLE = /[\p{Cf}\p{Co}\u{fe00}-\u{fe0f}\u{1f1e6}-\u{1f1ff}]|(?![©®™])\p{Extended_Pictographic}/gu;
/** A line may break after each of these. */
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

const clean = (text: string): string =>
  text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]+/gu, ' ');

/**
 * Adds the fonts of the texts to the document. Throws NO_FONT with the characters that no font contains: a parcel with
 * an incomplete label could get lost.
 */
export async function prepareText(pdf: PDFKit.PDFDocument, texts: readonly Printed[]): Promise<Draw> {
  const fonts = new Map<string, string>();
  const registered = new Set<string>();
  const missing = new Set<string>();
  for (const { text, country } of [...texts, { text: `${ELLIPSIS} `, country: undefined }])
    for (const character of clean(text)) {
      const key = `${character}${country ?? ''}`;
      if (character === '\n' || fonts.has(key)) continue;
      const font = await fontOf(character.codePointAt(0)!, country);
      if (!font) {
        missing.add(character);
        continue;
      }
      fonts.set(key, font.name);
      if (!registered.has(font.name)) pdf.registerFont(font.name, font.data);
      registered.add(font.name);
    }
  if (missing.size > 0) throw new ApiError('NO_FONT', { params: { characters: [...missing].slice(0, 20).join(' ') } });
  return (printed, box) => draw(pdf, fonts, printed, box);
}

interface Run {
  readonly font: string;
  text: string;
}

function draw(pdf: PDFKit.PDFDocument, fonts: ReadonlyMap<string, string>, { text, country }: Printed, box: Box): void {
  const fontAt = (character: string): string => fonts.get(`${character}${country ?? ''}`) ?? fonts.get(character)!;

  function runsOf(line: string): Run[] {
    const runs: Run[] = [];
    for (const character of line) {
      const font = fontAt(character);
      const last = runs.at(-1);
      if (last?.font === font) last.text += character;
      else runs.push({ font, text: character });
    }
    return runs;
  }
  const widthOf = (line: string, size: number): number =>
    runsOf(line).reduce((sum, run) => sum + pdf.font(run.font, size).widthOfString(run.text), 0);

  /** Fills lines greedily; a word that is longer than a line is split. */
  function linesOf(paragraph: string, size: number): string[] {
    const lines = [''];
    for (const piece of paragraph.match(PIECES) ?? []) {
      const parts = widthOf(piece, size) > box.width ? [...piece] : [piece];
      for (const part of parts) {
        if (widthOf(`${lines.at(-1)}${part}`.trimEnd(), size) > box.width && lines.at(-1) !== '') lines.push('');
        if (lines.at(-1) !== '' || part.trim() !== '') lines[lines.length - 1] += part;
      }
    }
    return lines.map((line) => line.trimEnd());
  }

  const paragraphs = clean(text).split('\n');
  const fitting = (size: number) => Math.max(1, Math.floor((box.height + 0.01) / (size * LINE_HEIGHT)));
  let size = box.size;
  let lines = paragraphs.flatMap((paragraph) => linesOf(paragraph, size));
  while (lines.length > fitting(size) && size * SHRINK >= box.size * SMALLEST) {
    size *= SHRINK;
    lines = paragraphs.flatMap((paragraph) => linesOf(paragraph, size));
  }
  if (lines.length > fitting(size)) {
    lines = lines.slice(0, fitting(size));
    let last = lines.pop()!;
    while (last !== '' && widthOf(`${last}${ELLIPSIS}`, size) > box.width) last = [...last].slice(0, -1).join('');
    lines.push(`${last}${ELLIPSIS}`);
  }

  lines.forEach((line, index) => {
    const free = box.width - widthOf(line, size);
    let x = box.x + (box.align === 'right' ? free : box.align === 'center' ? free / 2 : 0);
    const y = box.y + size * LINE_HEIGHT * index + size * BASELINE;
    for (const run of runsOf(line)) {
      pdf.font(run.font, size).text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' });
      x += pdf.widthOfString(run.text);
    }
  });
}
