/** Groups scans of the same thing, which must be processed in sequence, even if they used different codes. */
import type { Meaning } from './meaning.js';
import type { Op } from './op.js';

/**
 * The scans of each thing, in the order of `ops`. Codes are compared by their meaning: a tracking number and a number
 * of another system can be the same parcel, and a barcode and a SKU the same item (warehouse R2).
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

/** Key of the scanned thing; the code itself if its meaning is unknown or ambiguous. */
function thingOf(code: string, meanings: readonly Meaning[]): string {
  const [meant] = meanings;
  if (!meant || meanings.length > 1) return `code ${code}`;
  return meant.kind === 'package' ? `package ${meant.parcel.tracking_number}` : `sku ${meant.sku.sku}`;
}
