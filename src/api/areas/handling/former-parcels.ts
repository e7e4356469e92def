/** Parcels that a driver may still have, although another driver, or none, has their order now. */
import { instantOf } from '../../../events/otep/time.js';
import type { CustodyQueries } from '../../../projections/orders/custody.js';
import { matchCodes, type CodeMatch, type CodeSources, type CodeViewer } from './code-matches.js';
import type { Op } from './op.js';

/**
 * Parcels that were on a route of the driver in the 14 days before, for the scanned codes that have no other meaning to
 * the driver. A parcel can always be received. Empty for staff, who see all parcels.
 */
export async function formerParcels(
  ops: readonly Op[],
  matches: ReadonlyMap<string, readonly CodeMatch[]>,
  { business, driverId }: CodeViewer,
  { codeSources, custody }: { codeSources: CodeSources; custody: Pick<CustodyQueries, 'ofOrder'> },
): Promise<ReadonlyMap<string, readonly CodeMatch[]>> {
  const unknown = ops.filter(({ code }) => matches.get(code)?.length === 0);
  if (driverId === undefined || unknown.length === 0) return new Map();
  const found = await matchCodes(
    unknown.map(({ code }) => code),
    { business },
    codeSources,
  );
  const had = async (one: CodeMatch, at: string): Promise<boolean> =>
    one.kind === 'package' && (await custody.ofOrder(one.parcel.order_id, driverId, at)) !== undefined;
  const former = new Map<string, readonly CodeMatch[]>();
  for (const { code, at } of unknown) {
    const instant = instantOf(at);
    const all = instant === null ? [] : found.get(code)!;
    const isFormer = await Promise.all(all.map((one) => had(one, instant!)));
    former.set(
      code,
      all.filter((_, index) => isFormer[index]),
    );
  }
  return former;
}
