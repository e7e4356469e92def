/** Checks that codes occur only once. */
import type { Card } from '../../events/pricing/card.js';
import { fault, type Faults } from './fault.js';

export function* checkCodes(card: Card): Faults {
  for (const list of ['services', 'zones', 'surcharges', 'taxes', 'items'] as const) {
    const items: readonly { readonly code: string }[] = card[list] ?? [];
    yield* once(
      items,
      ({ code }) => code,
      (index) => `/${list}/${index}/code`,
    );
  }
  yield* once(
    card.storage?.classes ?? [],
    ({ code }) => code,
    (index) => `/storage/classes/${index}/code`,
  );
  yield* once(
    card.device ?? [],
    ({ cell_size }) => cell_size,
    (index) => `/device/${index}/cell_size`,
  );
  yield* once(
    card.table ?? [],
    ({ service, lane }) => `${service} in lane ${lane}`,
    (index) => `/table/${index}`,
  );
  for (const [index, { options = [] }] of card.services.entries())
    yield* once(
      options,
      (option) => option,
      (at) => `/services/${index}/options/${at}`,
    );
}

/** Reports each repetition of a key. */
function* once<Item>(items: readonly Item[], keyOf: (item: Item) => string, pathOf: (index: number) => string): Faults {
  const known = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (known.has(key)) yield fault(pathOf(index), 'DUPLICATE_CODE', `${key} occurs more than once.`);
    known.add(key);
  }
}
