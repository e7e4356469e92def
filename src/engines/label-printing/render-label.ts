/** Prints labels. Equal input results in equal bytes. */
import type { PrintedLabel } from '../outside/carriers/services.js';
import type { LabelFormat, LabelSize } from '../outside/carriers/shipment.js';
import { checkLabel } from './check-label.js';
import { layoutOf } from './layout.js';
import { writePdf, type LabelStamp } from './write-pdf.js';
import { writePng } from './write-png.js';
import { typeset } from './typeset.js';
import { writeZpl } from './write-zpl.js';

export type { LabelStamp } from './write-pdf.js';

/**
 * Prints one label. `stamp` concerns only PDFs.
 *
 * Throws `InvalidLabel` if a member is too long or the number is wrong, and `MissingFont` (code `NO_FONT`) if no font
 * contains a character of a text.
 */
export async function renderLabel(
  label: PrintedLabel,
  format: LabelFormat,
  size: LabelSize,
  stamp?: LabelStamp,
): Promise<Uint8Array> {
  checkLabel(label);
  const set = await typeset(layoutOf(label, size));
  if (format === 'pdf') return writePdf(set, { title: `Label ${label.number.value}`, date: label.ship_date, stamp });
  return format === 'png' ? writePng(set) : writeZpl(set);
}
