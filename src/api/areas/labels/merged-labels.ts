/** Joins the labels of an order to one PDF. */
import type { FileReaders } from '../../../engines/file-reader/readers.js';
import { FileRefused, ReadersBusy } from '../../../engines/file-reader/refused.js';

/** Maximum number of pages of all labels of an order. */
const MAX_PAGES = 200;
const PDF = 'application/pdf';

export interface LabelContent {
  readonly package_ids: readonly string[];
  readonly tracking_numbers: readonly string[];
  readonly media_type: string;
  readonly content: Buffer;
}

/**
 * One file if all labels are PDFs; otherwise the labels. A label that cannot be joined is not lost: then the labels are
 * returned unchanged.
 */
export type MergeLabels = (labels: readonly LabelContent[], business: number) => Promise<readonly LabelContent[]>;

export function createMergeLabels(readers: FileReaders): MergeLabels {
  return async (labels, business) => {
    if (labels.length < 2 || labels.some(({ media_type }) => media_type !== PDF)) return labels;
    const all = Buffer.concat(labels.map(({ content }) => content));
    const options = { sizes: labels.map(({ content }) => content.length), maxPages: MAX_PAGES };
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of readers.read('merged_pdf', all, options, { business })) pieces.push(piece);
    } catch (error) {
      if (error instanceof FileRefused || error instanceof ReadersBusy) return labels;
      throw error;
    }
    return [
      {
        package_ids: labels.flatMap(({ package_ids }) => package_ids),
        tracking_numbers: labels.flatMap(({ tracking_numbers }) => tracking_numbers),
        media_type: PDF,
        content: Buffer.concat(pieces),
      },
    ];
  };
}
