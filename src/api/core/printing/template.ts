/** The layout of a printed document. */
import type { DocumentKind } from '../../../events/documents/events.js';
import type { Draw, Printed } from './text.js';

/**
 * `draw` uses only `Content`, so that equal content results in an identical file. A changed layout needs a new version.
 */
export interface Template<Content> {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly version: number;
  /** Size in points, 72 per inch. */
  readonly size: readonly [width: number, height: number];
  readonly margin: number;
  readonly title: (content: Content) => string;
  /** All texts that `draw` prints; they determine the fonts. */
  readonly texts: (content: Content) => readonly Printed[];
  readonly draw: (pdf: PDFKit.PDFDocument, draw: Draw, content: Content) => Promise<void>;
}
