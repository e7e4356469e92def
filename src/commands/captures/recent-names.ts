/** The names that this process recorded most recently, so that a check of them can wait until queries return them. */
import type { Position } from '../../events/core/log.js';

/** Number of names after which names that queries return are removed. */
const CAPACITY = 20_000;

/** `isQueryable`: whether queries return everything up to a position. */
export function createRecentNames(isQueryable: (position: Position) => boolean) {
  const positions = new Map<string, Position>();
  let full = CAPACITY;

  function forget(): void {
    for (const [name, position] of positions) if (isQueryable(position)) positions.delete(name);
    full = positions.size + CAPACITY;
  }

  return {
    /** Notes that a capture at this position recorded these names. */
    note(names: readonly string[], position: Position): void {
      for (const name of names) positions.set(name, position);
      if (positions.size >= full) forget();
    },

    /** The position of the last capture that recorded one of these names; undefined if queries return all of them. */
    lastOf(names: readonly string[]): Position | undefined {
      let last: Position | undefined;
      for (const name of names) {
        const position = positions.get(name);
        if (position !== undefined && (last === undefined || position > last)) last = position;
      }
      return last;
    },
  };
}
