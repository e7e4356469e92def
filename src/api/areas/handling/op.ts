/** Schemas of scans and of the responses to scanners. */
import { z } from 'zod';
import { PARCEL_STATES, QUARANTINE_REASONS, type ParcelState } from '../../../events/orders/events.js';
import type { OpOutcome } from '../../../engines/postgres/wms-ops.js';
import { idSchema, MAX_ID } from '../../core/ids.js';
import { chooseLanguage, translate, type MessageCode } from '../../core/messages/index.js';
import { locationCode } from '../warehouses/shapes.js';

export const DOINGS = [
  'receive',
  'put_away',
  'move',
  'sort',
  'load',
  'unload',
  'stock_out',
  'return',
  'quarantine',
  'count',
  'missing',
] as const;

export const deviceId = z.string().trim().min(1).max(191);
export const scannedCode = z.string().trim().min(1).max(200).describe('What was scanned, as it was read.');

export const opInput = z
  .strictObject({
    op_id: z.guid().toLowerCase().describe('Made by the device: the same scan has the same however often it is sent.'),
    seq: z.int().min(1).max(MAX_ID).describe('Counts up on the device, from 1.'),
    at: z.string().max(40).describe('When it was scanned: RFC 3339, with offset.'),
    do: z.enum(DOINGS),
    code: scannedCode,
    warehouse_id: idSchema,
    location: locationCode.optional().describe('Where it is put; of stock that goes out or is counted, where it is.'),
    from_location: locationCode.optional().describe('Where stock is moved from.'),
    route_id: idSchema.optional().describe('For `sort` and `load`.'),
    quantity: z
      .string()
      .regex(/^\d{1,8}(\.\d{1,4})?$/)
      .optional()
      .describe('Of stock.'),
    reason: z.enum(QUARANTINE_REASONS).optional().describe('For `quarantine`.'),
    force: z.boolean().default(false).describe('Although it is old, blocked, or belongs elsewhere; not for drivers.'),
  })
  .meta({ id: 'ScanInput' });
export type Op = z.infer<typeof opInput>;

export const COLORS = ['green', 'amber', 'red'] as const;
export interface Line {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Result of a scan, without texts, so that it can be stored once and returned in any language. */
export interface OpResult {
  readonly outcome: OpOutcome;
  readonly code?: MessageCode;
  readonly order_id?: number;
  readonly tracking_number?: string;
  readonly sku?: string;
  readonly state?: ParcelState;
  readonly color: (typeof COLORS)[number];
  readonly lines: readonly Line[];
}

const saySchema = z
  .object({ color: z.enum(COLORS), sound: z.enum(['ok', 'again', 'stop']), lines: z.array(z.string()) })
  .meta({ id: 'ScannerMessage' })
  .describe('What the scanner shows and plays.');

export const opResultSchema = z
  .object({
    op_id: z.string(),
    outcome: z.enum(['applied', 'duplicate', 'conflict', 'rejected']),
    first: z
      .enum(['applied', 'conflict', 'rejected'])
      .optional()
      .describe('Of a duplicate: the outcome of the first scan.'),
    code: z.string().optional(),
    message: z.string().optional(),
    order_id: z.int().optional(),
    tracking_number: z.string().optional(),
    sku: z.string().optional(),
    status: z.enum(PARCEL_STATES).optional().describe('Of the parcel after it.'),
    say: saySchema,
  })
  .meta({ id: 'ScanResult' });

const SOUNDS = { green: 'ok', amber: 'again', red: 'stop' } as const;

export function told(
  op_id: string,
  { outcome, code, color, lines, state, ...about }: OpResult,
  acceptLanguage: string | undefined,
  isDuplicate = false,
): z.infer<typeof opResultSchema> {
  const language = chooseLanguage(acceptLanguage);
  const texts = lines.map((line) => translate(line.code, line.params, language));
  return {
    op_id,
    ...(isDuplicate ? { outcome: 'duplicate' as const, first: outcome } : { outcome }),
    ...(code !== undefined && { code, message: texts[0] ?? translate(code, {}, language) }),
    ...about,
    ...(state !== undefined && { status: state }),
    say: { color, sound: SOUNDS[color], lines: texts },
  };
}
