/** The request of a manifest to the carrier. It follows from the events, so every repetition is the same. */
import type { ManifestRequest } from '../../../engines/outside/carriers/port.js';
import type { ManifestLabel, NewManifest } from '../../../events/manifests/events.js';

/** A request, and the manifest that it is for. */
export interface OfManifest {
  readonly manifestId: number;
  readonly request: ManifestRequest;
}

/** The sender is not named: the carrier knows the sender of each label. */
export const manifestRequestOf = (
  { manifest_id: manifestId, ship_date }: Pick<NewManifest, 'manifest_id' | 'ship_date'>,
  labels: readonly ManifestLabel[],
): OfManifest => ({
  manifestId,
  request: {
    ship_date,
    from: undefined,
    labels: labels.map(({ order_id: _order, package_id: _package, ...one }) => one),
  },
});
