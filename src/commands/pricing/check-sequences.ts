/** Checks that breaks, bands, tiers and periods are ascending, without gaps and overlaps. */
import { addDays } from '../../events/core/local-time.js';
import { decimal } from '../../events/core/money.js';
import type { WeightBreak } from '../../events/pricing/bases.js';
import type { Card } from '../../events/pricing/card.js';
import type { Condition } from '../../events/pricing/conditions.js';
import { fault, type CardFault, type Faults } from './fault.js';

export function* checkSequences(card: Card): Faults {
  for (const [index, { days_min = 0, days_max = Infinity }] of card.services.entries())
    if (days_min > days_max)
      yield fault(`/services/${index}/days_max`, 'WRONG_ORDER', 'days_max is less than days_min.');
  for (const [index, { breaks }] of (card.table ?? []).entries()) yield* checkBreaks(breaks, `/table/${index}/breaks`);
  yield* ascending(
    card.distance?.bands ?? [],
    ({ up_to_km }) => up_to_km,
    (at) => `/distance/bands/${at}/up_to_km`,
  );
  yield* checkStorage(card.storage);
  for (const [index, { bands }] of (card.device ?? []).entries())
    yield* contiguous(
      bands.map(({ minutes_from, minutes_to }) => [minutes_from, minutes_to]),
      0,
      (at) => [`/device/${index}/bands/${at}/minutes_from`, `/device/${index}/bands/${at}/minutes_to`],
    );
  yield* checkFuel(card.fuel ?? []);
  for (const list of ['surcharges', 'taxes'] as const)
    for (const [index, { when = [] }] of (card[list] ?? []).entries())
      for (const [at, condition] of when.entries())
        if (isEmptyRange(condition))
          yield fault(`/${list}/${index}/when/${at}/value`, 'WRONG_ORDER', 'The first bound is above the second one.');
}

/** Reports values that are not above their predecessor. */
function* ascending<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => number,
  pathOf: (index: number) => string,
): Faults {
  for (let index = 1; index < items.length; index += 1) {
    const [before, value] = [valueOf(items[index - 1]!), valueOf(items[index]!)];
    if (value === before) yield fault(pathOf(index), 'OVERLAP', `${value} occurs twice.`);
    else if (value < before) yield fault(pathOf(index), 'WRONG_ORDER', `${value} is below the preceding ${before}.`);
  }
}

/** Compares the beginning of a range with the end of the preceding one. */
function joint<V extends number | string>(path: string, from: V, expected: V): CardFault | undefined {
  if (from === expected) return undefined;
  return fault(path, from > expected ? 'GAP' : 'OVERLAP', `The range begins at ${from}; expected: ${expected}.`);
}

/** Ranges that begin where the preceding one ends. Only the last range may have no end. */
function* contiguous<V extends number | string>(
  ranges: readonly (readonly [from: V, to: V | undefined])[],
  begin: V | undefined,
  pathsOf: (index: number) => readonly [from: string, to: string],
  next: (end: V) => V = (end) => end,
): Faults {
  let expected = begin;
  for (const [index, [from, to]] of ranges.entries()) {
    const [fromPath, toPath] = pathsOf(index);
    const before = ranges[index - 1]?.[0];
    if (before !== undefined && from < before)
      yield fault(fromPath, 'WRONG_ORDER', `The range begins at ${from}, before the preceding one.`);
    else if (expected !== undefined) {
      const wrong = joint(fromPath, from, expected);
      if (wrong) yield wrong;
    }
    if (to === undefined) {
      if (index < ranges.length - 1) yield fault(fromPath, 'OVERLAP', 'Only the last range may have no end.');
      return;
    }
    if (next(to) <= from) yield fault(toPath, 'WRONG_ORDER', `The range ends at ${to}, before it begins.`);
    expected = next(to);
  }
}

function* checkBreaks(breaks: readonly WeightBreak[], path: string): Faults {
  const closed = breaks.filter((one) => 'up_to_kg' in one);
  const open = breaks.findIndex((one) => 'above_kg' in one);
  if (open >= 0 && open < breaks.length - 1) {
    yield fault(`${path}/${open}`, 'WRONG_ORDER', 'A break with above_kg is the last one.');
    return;
  }
  yield* ascending(
    closed,
    ({ up_to_kg }) => up_to_kg,
    (at) => `${path}/${at}/up_to_kg`,
  );
  const last = breaks[open];
  if (!last || !('above_kg' in last)) return;
  const wrong = joint(`${path}/${open}/above_kg`, last.above_kg, closed.at(-1)?.up_to_kg ?? 0);
  if (wrong) yield wrong;
}

function* checkStorage(storage: Card['storage']): Faults {
  if (!storage) return;
  const { tiers, free_days } = storage;
  if (tiers[0]!.from_day > free_days + 1)
    yield fault('/storage/tiers/0/from_day', 'GAP', `The first paid day is ${free_days + 1}.`);
  yield* ascending(
    tiers,
    ({ from_day }) => from_day,
    (at) => `/storage/tiers/${at}/from_day`,
  );
}

const checkFuel = (periods: NonNullable<Card['fuel']>): Faults =>
  contiguous(
    periods.map(({ date_from, date_to }) => [date_from, date_to]),
    undefined,
    (at) => [`/fuel/${at}/date_from`, `/fuel/${at}/date_to`],
    (end) => addDays(end, 1),
  );

function isEmptyRange(condition: Condition): boolean {
  if (condition.op !== 'between') return false;
  const { field, value } = condition;
  if (field === 'declared_value' || field === 'cod_amount') return decimal(value[0]).gt(value[1]);
  return value[0] > value[1];
}
