/** Contents and time windows of an order. */
import { z } from 'zod';
import { trackingId, type Owner } from '../trackings/events.js';

const text = z.string();

export const ORDER_TYPES = ['D', 'P', 'P2P'] as const;
/** `D`: warehouse to customer; `P`: customer to warehouse; `P2P`: peer to peer. */
export type OrderType = (typeof ORDER_TYPES)[number];

/**
 * Centimetres and kilograms. The descriptions of the contents are in the order's `descriptions`, because they are
 * personal.
 */
export const packageSchema = z.object({
  /** Normalized, unique, and hard to guess, because anyone can read a tracking by its number. */
  tracking_number: text,
  /** Number of the package in another system. */
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

/** Owner of the trackings of an order's packages: its business. */
export const ownerOfPackages = (business: number): Owner => ({ kind: 'business', id: String(business) });
/** Id of a package's tracking. */
export const trackingOfPackage = (business: number, number: string): string =>
  trackingId(ownerOfPackages(business), number, 0);
