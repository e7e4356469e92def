/** Checks the result of a purchase that staff give: it must be about the packages and the object of the attempt. */
import type { EffectProgress } from '../../events/effects/progress.js';
import type { LabelPurchaseResult } from '../../events/labels/effects.js';
import type { LabelOrder } from '../../events/labels/order.js';

/** JSON Pointer of a member that belongs to another shipment; undefined: the result fits the attempt. */
export function wrongMemberOf(
  { shipments }: Pick<LabelOrder, 'shipments'>,
  { about, remoteId }: Pick<EffectProgress, 'about' | 'remoteId'>,
  result: Pick<LabelPurchaseResult, 'remote_id' | 'packages'>,
): string | undefined {
  const wanted = shipments.find((one) => one.about === about)?.packages ?? [];
  const given = result.packages.map(({ package_id }) => package_id);
  if (remoteId !== undefined && result.remote_id !== remoteId) return '/remote_id';
  const unknown = given.findIndex((id, index) => !wanted.includes(id) || given.indexOf(id) !== index);
  if (unknown >= 0) return `/packages/${unknown}/package_id`;
  return given.length < wanted.length ? '/packages' : undefined;
}
