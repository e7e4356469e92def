/** What an order moves, and when. */
import { z } from 'zod';
import { trackingId, type Owner } from '../trackings/events.js';

const text = z.string();

export const ORDER_TYPES = ['D', 'P', 'P2P'] as const;
/** `D`: warehouse to customer; `P`: customer to warehouse; `P2P`: peer to peer. */
export type OrderType = (typeof ORDER_TYPES)[number];

/** Centimetres, kilograms. The contents are in the order's `descriptions`: they are personal. */
export const packageSchema = z.object({
  /** Normalized; unique, and hard to guess: reading by it is public. */
  tracking_number: text,
  /** The number that another system knows it by. */
  external_tracking_number: text.optional(),
  weight: z.number().optional(),
  length: z.number().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
});
export type Package = z.infer<typeof packageSchema>;

/** Wall-clock `HH:MM` at the stop on the schedule date; `from` before `to`. */
export const timeWindowSchema = z.object({ stop: z.enum(['pickup', 'delivery']), from: text, to: text });
export type TimeWindow = z.infer<typeof timeWindowSchema>;

/** Whose timelines an order's packages have: its business's. */
export const ownerOfPackages = (business: number): Owner => ({ kind: 'business', id: String(business) });
/** Id of the tracking that tells a package's journey. */
export const trackingOfPackage = (business: number, number: string): string =>
  trackingId(ownerOfPackages(business), number, 0);
