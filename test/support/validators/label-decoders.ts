/** Independent readers of printed labels: an interpreter of ZPL, and a barcode reader. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const require = createRequire(import.meta.url);
/** Dots per millimetre at 203 dpi. */
const DOTS_PER_MM = 8;

/** Size of the paper, in millimetres. */
export const PAPER = { '4x6': [101.6, 152.4], a6: [105, 148], a4: [210, 297] } as const;

/** What a scanner reports. */
export interface ScannedCode {
  /** Symbology identifier of ISO/IEC 15424: `]C1` is GS1-128. */
  readonly symbology: string;
  readonly text: string;
}

let reader: Promise<unknown> | undefined;

/** Without this, the reader downloads its program. */
async function openReader(): Promise<unknown> {
  const wasmBinary = new Uint8Array(await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))).buffer;
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/**
 * Linear barcodes of parcel labels. Retail codes (EAN, UPC) are not requested: they begin and end with short guard bars,
 * which also occur within a Code 128, and the decoder has read an EAN-13 in a part of the bars of a correct label.
 */
const CARRIER_CODES = ['Code128', 'Code93', 'Code39', 'Codabar', 'ITF'] as const;

/** All barcodes of these kinds in an image. */
export async function codesIn(png: Uint8Array): Promise<ScannedCode[]> {
  await (reader ??= openReader());
  const codes = await readBarcodes(new Uint8Array(png), { formats: [...CARRIER_CODES], tryHarder: true });
  return codes.map(({ symbologyIdentifier, text }) => ({ symbology: symbologyIdentifier, text }));
}

export async function canvasOf(png: Uint8Array): Promise<Canvas> {
  const image = await loadImage(Buffer.from(png));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
}

/** The label as a printer with 203 dpi prints it, as PNG. */
export async function printZpl(zpl: Uint8Array, size: keyof typeof PAPER): Promise<Uint8Array> {
  const { ready } = await import('zpl-renderer-js');
  const { api } = await ready;
  const [width, height] = PAPER[size];
  const labels = await api.zplToBase64MultipleAsync(Buffer.from(zpl).toString('latin1'), width, height, DOTS_PER_MM);
  if (labels.length !== 1) throw new Error(`The printer prints ${labels.length} labels.`);
  return Buffer.from(labels[0]!, 'base64');
}

export interface PdfRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The rectangles of the content stream of a PDF without compression, in points from the upper left corner. */
export const rectanglesIn = (pdf: Uint8Array): PdfRectangle[] =>
  [
    ...Buffer.from(pdf)
      .toString('latin1')
      .matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm),
  ].map(([, x, y, width, height]) => ({ x: Number(x), y: Number(y), width: Number(width), height: Number(height) }));

/** An image of the rectangles alone. `scale`: pixels per point. */
export function drawRectangles(rectangles: readonly PdfRectangle[], scale: number): Uint8Array {
  const margin = 40;
  const right = Math.max(...rectangles.map(({ x, width }) => x + width)) * scale;
  const canvas = createCanvas(Math.ceil(right) + margin, 200);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  for (const { x, width } of rectangles) context.fillRect(Math.round(x * scale), 20, Math.round(width * scale), 160);
  return canvas.toBuffer('image/png');
}

/** Whether an area of an image, in millimetres, contains a dark pixel. */
export function hasInk(canvas: Canvas, area: PdfRectangle): boolean {
  const [x, y, width, height] = [area.x, area.y, area.width, area.height].map((mm) => Math.round(mm * DOTS_PER_MM));
  const { data } = canvas.getContext('2d').getImageData(x!, y!, width!, height!);
  for (let at = 0; at < data.length; at += 4) if (data[at]! < 128 && data[at + 3]! > 128) return true;
  return false;
}
