/** Prints text of any language on a PDF: each character in a font that contains it, in lines that fit. */
import { loadFonts, type FontMap, type Printed, type Run } from '../../../engines/printing/font-map.js';
import { BASELINE, fitLines, LINE_HEIGHT } from '../../../engines/printing/lines.js';
import { MissingFont } from '../../../engines/printing/missing-font.js';
import { ApiError } from '../errors.js';

export type { Printed } from '../../../engines/printing/font-map.js';

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

/** Adds the fonts of the texts to the document. Throws NO_FONT with the characters that no font contains. */
export async function prepareText(pdf: PDFKit.PDFDocument, texts: readonly Printed[]): Promise<Draw> {
  const fonts = await loadFonts(texts).catch((error: unknown) => {
    if (!(error instanceof MissingFont)) throw error;
    throw new ApiError('NO_FONT', { params: { characters: error.characters.join(' ') } });
  });
  for (const { name, font } of fonts.fonts) pdf.registerFont(name, font as never);
  return (printed, box) => draw(pdf, fonts, printed, box);
}

function draw(pdf: PDFKit.PDFDocument, fonts: FontMap, { text, country }: Printed, box: Box): void {
  const widthOfRun = (run: Run, size: number): number => pdf.font(run.font.name, size).widthOfString(run.text);
  const widthOf = (line: string, size: number): number =>
    fonts.runsOf(line, country).reduce((sum, run) => sum + widthOfRun(run, size), 0);

  const { size, lines } = fitLines(text, box, widthOf);
  lines.forEach((line, index) => {
    const free = box.width - widthOf(line.text, size);
    let x = box.x + (box.align === 'right' ? free : box.align === 'center' ? free / 2 : 0);
    const y = box.y + size * LINE_HEIGHT * index + size * BASELINE;
    for (const run of fonts.runsOf(line.text, country)) {
      pdf.font(run.font.name, size).text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' });
      x += pdf.widthOfString(run.text);
    }
  });
}
