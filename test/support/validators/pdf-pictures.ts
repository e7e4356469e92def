/**
 * Renders the pages of a PDF to images as a person or a scanner sees them, with an independent renderer. An independent
 * barcode reader reads the barcodes.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { BinaryBitmap, DecodeHintType, HybridBinarizer, MultiFormatReader, RGBLuminanceSource } from '@zxing/library';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PagePicture {
  readonly canvas: Canvas;
  /** The text as copied from a viewer, without blanks. */
  readonly text: string;
}

const FONTS = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts/');

/** `dpi`: 203 is the resolution of most label printers. */
export async function picturesOf(pdf: Uint8Array, dpi = 203): Promise<PagePicture[]> {
  const document = await getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: FONTS,
    // Uses only the fonts of the document: fonts of this machine would hide a missing character.
    disableFontFace: true,
    useSystemFonts: false,
  }).promise;
  const pages: PagePicture[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: dpi / 72 });
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
    const context = canvas.getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    await page.render({
      // The type is declared for browsers.
      canvas: canvas as never,
      canvasContext: context as never,
      viewport,
    }).promise;
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str : '')).join('');
    pages.push({ canvas, text: text.replaceAll(/\s/g, '') });
  }
  await document.destroy();
  return pages;
}

/** Returns the text of the barcode in an image. Throws if there is no readable barcode. */
export function barcodeIn(canvas: Canvas): string {
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const grey = Uint8ClampedArray.from(
    { length: width * height },
    (_, at) => (data[4 * at]! + data[4 * at + 1]! + data[4 * at + 2]!) / 3,
  );
  const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)));
  return new MultiFormatReader().decode(bitmap, new Map([[DecodeHintType.TRY_HARDER, true]])).getText();
}
