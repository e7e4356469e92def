/** Steps 1 and 2: whether a service is offered for a shipment, on which day and in which lane. */
import type { PriceInputs } from '../../events/pricing/inputs.js';
import type { Refusal } from '../../events/pricing/outcome.js';
import type { CompiledCard } from './compile.js';
import { daysLater } from './dates.js';
import type { CompiledService } from './service.js';
import type { Request, Shipment } from './shipment.js';

/** Limits of packages come last, because they may need missing dimensions. */
export function offer(card: CompiledCard, service: CompiledService, request: Request): Shipment | Refusal {
  const { inputs, parcels, from_zone, to_zone } = request;
  const { code } = service.service;
  const shipDate = shipDateOf(service, inputs);
  const lane = card.lanes.find(code, from_zone, to_zone);
  if (lane === undefined || !card.base.serves(code, lane)) return 'NOT_SERVED';
  if (!service.shipsOn(shipDate)) return 'NOT_SERVED';
  if (inputs.options?.some((option) => !service.options.has(option))) return 'NOT_SERVED';
  if (parcels.length > service.maxPackages) return 'TOO_MANY_PACKAGES';
  if (shipDate === inputs.requested.date && isAfterCutoff(service, inputs)) return 'AFTER_CUTOFF';
  if (service.maxWeight < Infinity && parcels.some(({ weight }) => weight > service.maxWeight)) return 'TOO_HEAVY';
  if (service.maxSide < Infinity && parcels.some(({ sides }) => sides[0] > service.maxSide)) return 'TOO_LARGE';
  return { inputs, parcels, from_zone, to_zone, service, lane, shipDate };
}

/** The schedule date, or the first day on which the service ships. */
function shipDateOf(service: CompiledService, inputs: PriceInputs): string {
  if (inputs.schedule_date !== undefined) return inputs.schedule_date;
  const { date } = inputs.requested;
  let day = isAfterCutoff(service, inputs) ? daysLater(date, 1) : date;
  for (let skipped = 0; skipped < 6 && !service.shipsOn(day); skipped += 1) day = daysLater(day, 1);
  return day;
}

const isAfterCutoff = ({ service: { cutoff } }: CompiledService, { requested }: PriceInputs): boolean =>
  cutoff !== undefined && requested.time > cutoff;
