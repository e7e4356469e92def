/** Groups scans of the same thing, which must be processed in sequence, even if they used different codes. */
import type { CodeMatch } from './code-matches.js';
import type { Op } from './op.js';

/**
 * The scans of each thing, in the order of `ops`. Codes are compared by their meaning: a tracking number and a number
 * of another system can be the same parcel, and a barcode and a SKU the same item (warehouse R2).
 */
export function chainsOf(ops: readonly Op[], matches: ReadonlyMap<string, readonly CodeMatch[]>): readonly Op[][] {
  const chains = new Map<string, Op[]>();
  for (const op of ops) {
    const key = itemKeyOf(op.code, matches.get(op.code) ?? []);
    const chain = chains.get(key);
    if (chain) chain.push(op);
    else chains.set(key, [op]);
  }
  return [...chains.values()];
}

/** Key of the scanned thing; the code itself if its meaning is unknown or ambiguous. */
function itemKeyOf(code: string, matches: readonly CodeMatch[]): string {
  const [match] = matches;
  if (!match || matches.length > 1) return `code ${code}`;
  return match.kind === 'package' ? `package ${match.parcel.tracking_number}` : `sku ${match.sku.sku}`;
}
