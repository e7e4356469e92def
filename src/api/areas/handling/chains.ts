/** Which scans of a request must follow each other: those of one thing, by whatever code it was scanned. */
import type { Meaning } from './meaning.js';
import type { Op } from './op.js';

/**
 * The scans of each thing in the order of `ops`. What a code means decides, so a parcel's own number and that of another
 * system, or a SKU and its barcode, are one thing (warehouse R2).
 */
export function chainsOf(ops: readonly Op[], meanings: ReadonlyMap<string, readonly Meaning[]>): readonly Op[][] {
  const chains = new Map<string, Op[]>();
  for (const op of ops) {
    const key = thingOf(op.code, meanings.get(op.code) ?? []);
    const chain = chains.get(key);
    if (chain) chain.push(op);
    else chains.set(key, [op]);
  }
  return [...chains.values()];
}

/** Where nobody knows what is meant, the code itself. */
function thingOf(code: string, meanings: readonly Meaning[]): string {
  const [meant] = meanings;
  if (!meant || meanings.length > 1) return `code ${code}`;
  return meant.kind === 'package' ? `package ${meant.parcel.tracking_number}` : `sku ${meant.sku.sku}`;
}
