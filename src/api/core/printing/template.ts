/** What a printed document looks like. */
import type { DocumentKind } from '../../../events/documents/events.js';
import type { Draw, Printed } from './text.js';

/** Draws from `Content` alone, so that the same content is the same file. Drawn otherwise than before: a new version. */
export interface Template<Content> {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly version: number;
  /** Points, 72 an inch. */
  readonly size: readonly [width: number, height: number];
  readonly margin: number;
  readonly title: (content: Content) => string;
  /** All text that `draw` is given: fonts are chosen by it. */
  readonly texts: (content: Content) => readonly Printed[];
  readonly draw: (pdf: PDFKit.PDFDocument, draw: Draw, content: Content) => Promise<void>;
}
