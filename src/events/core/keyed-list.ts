/**
 * A short list of a business: skills, return reasons. All items are in one stream of the business, each under its key,
 * and an event stores an item whole. Not for personal data, and not for lists without a limit: those have a stream for
 * each item (the area `addresses` is an example).
 */
import type { EventType } from './event-types.js';

export type ItemKey = string | number;

export interface KeyedList<Item> {
  /** The first word of its streams; the business follows. */
  readonly prefix: string;
  /** The member that is the key of an item: `code` where the caller chooses it, else `id`. */
  readonly key: keyof Item & string;
  /** The item is new, or replaces the one with its key. */
  readonly saved: EventType<Item & { readonly business: number }>;
  /** Has the key as its only member. */
  readonly removed: EventType<object>;
}

/** The stream of a business. */
export const listStream = ({ prefix }: Pick<KeyedList<never>, 'prefix'>, business: number): string =>
  `${prefix}${business}`;
