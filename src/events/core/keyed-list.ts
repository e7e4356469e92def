/**
 * A short list of a business, for example skills or return reasons. All items are in one stream of the business, each
 * under its key, and an event contains the complete item. Not suitable for personal data or unlimited lists: these need
 * one stream per item (see the area `addresses`).
 */
import type { EventType } from './event-types.js';

export type ItemKey = string | number;

export interface KeyedList<Item> {
  /** Stream prefix, followed by the business id. */
  readonly prefix: string;
  /** Name of the key member of an item: `code` if the caller chooses the key, otherwise `id`. */
  readonly key: keyof Item & string;
  /** An item was added, or replaced the one with the same key. */
  readonly saved: EventType<Item & { readonly business: number }>;
  /** An item was removed. The key is its only member. */
  readonly removed: EventType<object>;
}

/** The stream of a business. */
export const listStream = ({ prefix }: Pick<KeyedList<never>, 'prefix'>, business: number): string =>
  `${prefix}${business}`;
