/** Describes a label once, in millimetres, for all writers. */
import bwipjs from 'bwip-js/node';
import type { PrintedLabel } from '../outside/carriers/services.js';
import type { CarrierStop, LabelSize } from '../outside/carriers/shipment.js';
import type { Printed } from '../printing/font-map.js';
import { FRAMES, type Area, type TextArea } from './frames.js';

export interface TextBox extends TextArea, Printed {
  /** `first`: only the first paragraph is bold. */
  readonly bold: 'all' | 'first' | 'none';
  readonly align: 'left' | 'right' | 'center';
}

export interface Barcode {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** Width of the narrowest bar. */
  readonly module: number;
  /** Application identifier and digits of GS1-128, without parentheses. */
  readonly data: string;
  /** Widths of bars and gaps in alternation, in modules. */
  readonly widths: readonly number[];
}

export interface LabelLayout {
  readonly page: { readonly width: number; readonly height: number };
  /** The page is empty below this height. */
  readonly printedHeight: number;
  readonly texts: readonly TextBox[];
  /** Filled with black. */
  readonly rules: readonly Area[];
  readonly barcode: Barcode;
}

const CAPTION_GAP = 0.5;
/** Application identifier of the serial shipping container code. */
const SSCC = '00';

/** The layout of a label. Requires a label that `checkLabel` accepts. */
export function layoutOf(label: PrintedLabel, size: LabelSize): LabelLayout {
  const { page, printedHeight, captionSize, rules, bars, ...frame } = FRAMES[size];
  const { carrier, service, number, from, to, ship_date, weight_kg, piece, order_ref } = label;
  const caption = (title: string, { x, y, width }: Area): TextBox => {
    const height = captionSize * 1.25;
    return {
      text: title,
      x,
      y: y - height - CAPTION_GAP,
      width,
      height,
      size: captionSize,
      bold: 'all',
      align: 'left',
    };
  };
  const text = (
    area: TextArea,
    content: string,
    bold: TextBox['bold'] = 'none',
    { align = 'left', country }: { align?: TextBox['align']; country?: string } = {},
  ): TextBox => ({ ...area, text: content, bold, align, country });
  return {
    page,
    printedHeight,
    rules,
    texts: [
      text(frame.carrier, oneLine(carrier), 'all', { country: from.country }),
      text(frame.service, oneLine(service), 'none', { country: from.country }),
      text(frame.piece, `${piece[0]} / ${piece[1]}`, 'all', { align: 'right' }),
      text(frame.weight, `${weight_kg} kg`, 'none', { align: 'right' }),
      caption('FROM', frame.from),
      text(frame.from, addressOf(from, []), 'first', { country: from.country }),
      caption('SHIP DATE', frame.date),
      text(frame.date, ship_date),
      ...(order_ref
        ? [
            caption('REFERENCE', frame.reference),
            text(frame.reference, oneLine(order_ref), 'none', { country: from.country }),
          ]
        : []),
      caption('TO', frame.to),
      text(frame.to, addressOf(to, [to.phone]), 'first', { country: to.country }),
      text(frame.routing, oneLine([to.country, to.postal_code].filter(Boolean).join(' ')), 'all', {
        country: to.country,
      }),
      text(frame.sscc, `(${SSCC}) ${number.value}`, 'none', { align: 'center' }),
    ].filter((box) => box.text !== ''),
    barcode: { ...bars, data: `${SSCC}${number.value}`, widths: widthsOf(`(${SSCC})${number.value}`) },
  };
}

/** The lines of an address. The last lines are those that `more` contains. */
function addressOf(stop: CarrierStop, more: readonly (string | undefined)[]): string {
  const { name, company, street, street_2, postal_code, city, region, country } = stop;
  const place = [postal_code, city, region].filter(Boolean).join(' ');
  return [name, company, street, street_2, place, country, ...more]
    .filter(Boolean)
    .map((line) => oneLine(line!))
    .join('\n');
}

/** Line feeds and other control characters of a text do not start a line. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function widthsOf(data: string): readonly number[] {
  const [{ sbs }] = bwipjs.raw('gs1-128', data, {}) as unknown as [{ sbs: readonly number[] }];
  return sbs;
}
