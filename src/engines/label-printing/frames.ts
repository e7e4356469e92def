/** Positions of the parts of a label, by size. All lengths are millimetres, and multiples of a dot (1/8 mm). */
import type { LabelSize } from '../outside/carriers/shipment.js';

/** Dots per millimetre of a label printer with 203 dpi. */
export const DOTS_PER_MM = 8;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextArea extends Area {
  /** Font size. */
  readonly size: number;
}

export interface Frame {
  readonly page: { readonly width: number; readonly height: number };
  /** Height of the printed part, from the top of the page. */
  readonly printedHeight: number;
  readonly captionSize: number;
  readonly carrier: TextArea;
  readonly service: TextArea;
  readonly piece: TextArea;
  readonly weight: TextArea;
  /** Each text has its caption above it. */
  readonly from: TextArea;
  readonly date: TextArea;
  readonly reference: TextArea;
  readonly to: TextArea;
  readonly sscc: TextArea;
  /** Country and postal code, to be read from a distance. */
  readonly routing: TextArea;
  readonly rules: readonly Area[];
  /** Left edge of the first bar. A quiet zone of ten modules on either side is within the page. */
  readonly bars: { readonly x: number; readonly y: number; readonly height: number; readonly module: number };
}

const RULE = 0.25;
const horizontal = (x: number, y: number, width: number): Area => ({ x, y, width, height: RULE });
const vertical = (x: number, y: number, height: number): Area => ({ x, y, width: RULE, height });

/** Number of modules of the barcode of an SSCC: start, FNC1, ten pairs of digits, check character, stop. */
export const SSCC_MODULES = 156;
const centred = (width: number, module: number): number =>
  Math.round(((width - SSCC_MODULES * module) / 2) * DOTS_PER_MM) / DOTS_PER_MM;

/**
 * GS1 General Specifications, logistic labels: modules of 0.495 to 0.94 mm, and bars of at least 31.75 mm. 0.5 mm are
 * four dots of a printer with 203 dpi.
 */
const MODULE = 0.5;
const WIDE_MODULE = 0.75;
const BAR_HEIGHT = 32;

/** A label printer's label. `height`: of the page; the part for the recipient takes the space that is left. */
function portrait(width: number, height: number): Frame {
  const inner = width - 8;
  const split = 64;
  const bottom = Math.floor(height) - 4;
  const bars = bottom - 8 - BAR_HEIGHT;
  const routing = bars - 18.5;
  const right = { x: split + 2, width: width - 4 - split - 2 };
  return {
    page: { width, height },
    printedHeight: height,
    captionSize: 2.25,
    carrier: { x: 4, y: 4, width: split - 6, height: 7.5, size: 5.5 },
    service: { x: 4, y: 11.5, width: split - 6, height: 5, size: 3.75 },
    piece: { ...right, y: 4, height: 7.5, size: 5.5 },
    weight: { ...right, y: 11.5, height: 5, size: 3.75 },
    from: { x: 4, y: 21, width: split - 6, height: 18, size: 2.75 },
    date: { ...right, y: 21, height: 4, size: 3 },
    reference: { ...right, y: 29, height: 10, size: 3 },
    to: { x: 4, y: 44, width: inner, height: routing - 46, size: 5 },
    routing: { x: 4, y: routing, width: inner, height: 12, size: 9 },
    sscc: { x: 4, y: bottom - 6.5, width: inner, height: 6.5, size: 5 },
    rules: [
      horizontal(4, 17, inner),
      horizontal(4, 40, inner),
      vertical(split, 17, 23),
      horizontal(4, routing - 1, inner),
      horizontal(4, routing + 13, inner),
    ],
    bars: { x: centred(width, MODULE), y: bars, height: BAR_HEIGHT, module: MODULE },
  };
}

/** The upper half of a page. The lower half stays empty, for a note or for folding. */
const HALF_PAGE: Frame = {
  page: { width: 210, height: 297 },
  printedHeight: 148.5,
  captionSize: 2.75,
  carrier: { x: 10, y: 10, width: 118, height: 9.5, size: 7 },
  service: { x: 10, y: 19.5, width: 118, height: 6.5, size: 5 },
  piece: { x: 130, y: 10, width: 70, height: 9.5, size: 7 },
  weight: { x: 130, y: 19.5, width: 70, height: 6.5, size: 5 },
  from: { x: 10, y: 32.5, width: 66, height: 28, size: 3.5 },
  date: { x: 10, y: 66, width: 28, height: 5, size: 3.5 },
  reference: { x: 40, y: 66, width: 36, height: 14, size: 3.5 },
  to: { x: 84, y: 32.5, width: 116, height: 48, size: 6.5 },
  routing: { x: 10, y: 83, width: 190, height: 13, size: 10 },
  sscc: { x: 10, y: 134, width: 190, height: 7, size: 5.5 },
  rules: [horizontal(10, 27, 190), vertical(80, 27, 54.5), horizontal(10, 81.5, 190), horizontal(10, 97, 190)],
  bars: { x: centred(210, WIDE_MODULE), y: 100, height: BAR_HEIGHT, module: WIDE_MODULE },
};

export const FRAMES: Readonly<Record<LabelSize, Frame>> = {
  '4x6': portrait(101.6, 152.4),
  a6: portrait(105, 148),
  a4: HALF_PAGE,
};
