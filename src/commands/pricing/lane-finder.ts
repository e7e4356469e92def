/** Finds the lane of a shipment: the first one whose service and zones fit. */
import { ANY_ZONE, ONLY_LANE, type Lane } from '../../events/pricing/zones.js';

/** Index of the first lane by `from`, then by `to`. */
type LanesByZones = Map<string, Map<string, number>>;

/** Key of the lanes for all services. A code is never empty. */
const ALL_SERVICES = '';

export class LaneFinder {
  /** By service. */
  private readonly services = new Map<string, LanesByZones>();

  constructor(private readonly lanes: readonly Lane[]) {
    lanes.forEach(({ from, to, service = ALL_SERVICES }, index) => {
      const byFrom: LanesByZones = this.services.get(service) ?? new Map<string, Map<string, number>>();
      const byTo = byFrom.get(from) ?? new Map<string, number>();
      this.services.set(service, byFrom.set(from, byTo));
      if (!byTo.has(to)) byTo.set(to, index);
    });
  }

  /** Code of the lane; undefined: the service is not offered. */
  find(service: string, from: string | undefined, to: string | undefined): string | undefined {
    if (this.lanes.length === 0) return ONLY_LANE;
    return this.lanes[this.indexOf(service, from, to)]?.lane;
  }

  /** Index of the first lane; undefined zones are outside all zones. Infinity: there is none. */
  indexOf(service: string, from: string = ANY_ZONE, to: string = ANY_ZONE): number {
    let first = Infinity;
    for (const byFrom of [this.services.get(service), this.services.get(ALL_SERVICES)])
      for (const byTo of [byFrom?.get(from), byFrom?.get(ANY_ZONE)])
        if (byTo) first = Math.min(first, byTo.get(to) ?? Infinity, byTo.get(ANY_ZONE) ?? Infinity);
    return first;
  }
}
