import type { Random } from '../random.js';
import { TRANSFER, type Model } from './model.js';
import type { Ruin } from './ruin.js';

/**
 * Probabilities in elevenths, cumulative: random order 4, largest first 4, tightest window first 2, nearest to the
 * start first 1.
 */
const CHANCE = 4;
const LARGE = 8;
const TIGHT = 10;
const ALL = 11;
const REVERSED = 0.1;

/** Sort keys of the orders of each model, smallest first. */
const keysOf = new WeakMap<Model, { large: Float64Array; tight: Float64Array; near: Float64Array }>();

/** Returns the sequence in which absent orders are inserted. */
export function absentOrder(model: Model, ruin: Ruin, random: Random): Int32Array {
  const waiting = ruin.absent.slice(0, ruin.count);
  const draw = random.below(ALL);
  for (let index = waiting.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    const order = waiting[index]!;
    waiting[index] = waiting[other]!;
    waiting[other] = order;
  }
  if (draw < CHANCE) return waiting;
  const keys = keysOf.get(model) ?? makeKeys(model);
  const key = draw < LARGE ? keys.large : draw < TIGHT ? keys.tight : keys.near;
  const sign = random.unit() < REVERSED ? -1 : 1;
  if (waiting.length > 64) return waiting.sort((one, other) => sign * (key[one]! - key[other]!));
  for (let index = 1; index < waiting.length; index += 1) {
    const order = waiting[index]!;
    const value = sign * key[order]!;
    let at = index - 1;
    for (; at >= 0 && sign * key[waiting[at]!]! > value; at -= 1) waiting[at + 1] = waiting[at]!;
    waiting[at + 1] = order;
  }
  return waiting;
}

function makeKeys(model: Model) {
  const { orders, capacities, resources } = model.problem;
  const largest = Array.from({ length: capacities }, (_, type) =>
    Math.max(1, ...resources.map((resource) => resource.capacity[type]!)),
  );
  const start = resources[0]?.start ?? 0;
  const keys = {
    large: Float64Array.from(orders, ({ size }) => -size.reduce((sum, part, type) => sum + part / largest[type]!, 0)),
    tight: Float64Array.from(orders, (_, order) => {
      const node = model.first[order]!;
      const width = model.to[node]! - model.from[node]!;
      return model.kind[order] === TRANSFER ? Math.min(width, model.to[node + 1]! - model.from[node + 1]!) : width;
    }),
    near: Float64Array.from(
      orders,
      (_, order) => model.usual.cost[start * model.size + model.place[model.first[order]!]!]!,
    ),
  };
  keysOf.set(model, keys);
  return keys;
}
