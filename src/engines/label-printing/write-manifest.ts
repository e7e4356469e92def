/**
 * Writes a manifest as PDF on A4: the numbers of all parcels that a carrier takes over, for the signature of the driver.
 * It contains no addresses. Equal manifests result in equal bytes. Therefore it uses no clock, no random numbers and no
 * compression.
 */
import { hash } from 'node:crypto';
import { loadFonts } from '../printing/font-map.js';
import { cleanText } from '../printing/lines.js';

export interface PrintedManifest {
  readonly carrier: string;
  readonly reference: string;
  /** `YYYY-MM-DD`. */
  readonly ship_date: string;
  readonly labels: readonly { readonly tracking_number: string; readonly weight_kg?: number | undefined }[];
}

/** In points: 72 per inch. */
const SIZE = [595.28, 841.89] as const;
const MARGIN = 42;
const ROW_HEIGHT = 13;
const TABLE_TOP = 130;
const TABLE_BOTTOM = 760;
const SIGNATURE_Y = 785;
const ROWS = Math.floor((TABLE_BOTTOM - TABLE_TOP) / ROW_HEIGHT);
const COLUMNS = { index: MARGIN, number: MARGIN + 40, weight: 460 } as const;

/** Number of pages of a manifest with so many labels. */
export const pagesOf = (labelCount: number): number => Math.max(1, Math.ceil(labelCount / ROWS));

/** Throws `MissingFont` if no font contains a character of the name of the carrier. */
export async function writeManifest(manifest: PrintedManifest): Promise<Uint8Array> {
  const { reference, ship_date, labels } = manifest;
  const carrier = cleanText(manifest.carrier);
  const fonts = await loadFonts([{ text: carrier }]);
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: [...SIZE],
    margin: 0,
    compress: false,
    autoFirstPage: false,
    info: { Title: `Manifest ${reference}`, CreationDate: new Date(`${ship_date}T00:00:00Z`) },
  });
  // Replaces the id of the library, which has no option for it.
  Object.assign(pdf, { _id: hash('sha256', JSON.stringify(manifest), 'buffer').subarray(0, 16) });
  for (const font of fonts.fonts) pdf.registerFont(font.name, font.forDocument() as never);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject),
  );
  const put = (text: string, x: number, y: number, size = 9): void =>
    void pdf.font('Helvetica', size).text(text, x, y, { lineBreak: false });

  const weights = labels.flatMap(({ weight_kg }) => weight_kg ?? []);
  const total = weights.length === labels.length ? ` · ${kilograms(sumOf(weights))}` : '';
  const pages = pagesOf(labels.length);
  for (let page = 0; page < pages; page++) {
    pdf.addPage();
    put('Manifest', MARGIN, MARGIN, 18);
    let x = MARGIN;
    for (const { font, text } of fonts.runsOf(carrier, undefined)) {
      pdf.font(font.name, 11).text(text, x, MARGIN + 26, { lineBreak: false });
      x += pdf.widthOfString(text);
    }
    put(`Reference ${reference} · ${ship_date} · ${labels.length} parcels${total}`, MARGIN, MARGIN + 44);
    put('No.', COLUMNS.index, TABLE_TOP - 18);
    put('Tracking number', COLUMNS.number, TABLE_TOP - 18);
    put('Weight', COLUMNS.weight, TABLE_TOP - 18);
    pdf
      .moveTo(MARGIN, TABLE_TOP - 5)
      .lineTo(SIZE[0] - MARGIN, TABLE_TOP - 5)
      .lineWidth(0.5)
      .stroke();
    labels.slice(page * ROWS, (page + 1) * ROWS).forEach(({ tracking_number, weight_kg }, row) => {
      const y = TABLE_TOP + row * ROW_HEIGHT;
      put(String(page * ROWS + row + 1), COLUMNS.index, y);
      put(tracking_number, COLUMNS.number, y);
      if (weight_kg !== undefined) put(kilograms(weight_kg), COLUMNS.weight, y);
    });
    put('Received by, date and time:', MARGIN, SIGNATURE_Y);
    pdf
      .moveTo(MARGIN + 125, SIGNATURE_Y + 9)
      .lineTo(400, SIGNATURE_Y + 9)
      .stroke();
    put(`Page ${page + 1} of ${pages}`, COLUMNS.weight, SIGNATURE_Y);
  }
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** In grams, so that the sum of decimal numbers is exact. */
const sumOf = (weights: readonly number[]): number =>
  weights.reduce((sum, one) => sum + Math.round(one * 1_000), 0) / 1_000;

const kilograms = (weight: number): string => `${weight} kg`;
