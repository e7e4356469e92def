/**
 * What a person and a scanner see of a PDF: its pages as pictures, drawn by a renderer that is not ours, and what an
 * independent reader of barcodes finds in them.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { BinaryBitmap, DecodeHintType, HybridBinarizer, MultiFormatReader, RGBLuminanceSource } from '@zxing/library';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface PagePicture {
  readonly canvas: Canvas;
  /** As who copies it from a viewer gets it, without blanks. */
  readonly text: string;
}

const FONTS = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts/');

/** `dpi`: 203 is what most label printers have. */
export async function picturesOf(pdf: Uint8Array, dpi = 203): Promise<PagePicture[]> {
  const document = await getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: FONTS,
    // Only what stands in the document is drawn: this machine's fonts would hide a letter that is missing.
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
      // Typed for browsers.
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

/** The text of the barcode in a picture. Throws where there is none that can be read. */
export function barcodeIn(canvas: Canvas): string {
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const grey = Uint8ClampedArray.from(
    { length: width * height },
    (_, at) => (data[4 * at]! + data[4 * at + 1]! + data[4 * at + 2]!) / 3,
  );
  const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)));
  return new MultiFormatReader().decode(bitmap, new Map([[DecodeHintType.TRY_HARDER, true]])).getText();
}
