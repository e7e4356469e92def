/** Label files of a shipment. EasyPost returns addresses, from which the area downloads. */
import type { LabelFile, LabelFormat } from '../port.js';
import type { PostageLabel } from './objects.js';

const FORMAT_OF: readonly (readonly [RegExp, LabelFormat])[] = [
  [/pdf/i, 'pdf'],
  [/png/i, 'png'],
  [/zpl/i, 'zpl'],
];

/** The label as it was bought. Undefined: EasyPost has no file of a known format. */
export function boughtLabel(label: PostageLabel): LabelFile | undefined {
  const { label_url: url, label_file_type: type } = label;
  if (!url) return undefined;
  const known = FORMAT_OF.find(([pattern]) => pattern.test(type ?? url.split('.').at(-1)!))?.[1];
  return known && { format: known, url };
}

/** The label in a format, if EasyPost has such a file already. */
export function labelIn(label: PostageLabel, format: LabelFormat): LabelFile | undefined {
  const bought = boughtLabel(label);
  if (bought?.format === format) return bought;
  const url = format === 'pdf' ? label.label_pdf_url : format === 'zpl' ? label.label_zpl_url : undefined;
  return url ? { format, url } : undefined;
}
