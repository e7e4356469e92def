/** Compiles a service of a rate card. */
import type { Service } from '../../events/pricing/card.js';
import { weekdayOf } from './dates.js';
import { thousandths } from './measures.js';

export interface CompiledService {
  readonly service: Service;
  readonly shipsOn: (date: string) => boolean;
  readonly options: ReadonlySet<string>;
  /** In thousandths of a kilogram; Infinity: no limit. */
  readonly maxWeight: number;
  /** In thousandths of a centimetre; Infinity: no limit. */
  readonly maxSide: number;
  readonly maxPackages: number;
}

export function compileService(service: Service): CompiledService {
  const { weekdays, options, max_weight_kg, max_side_cm, max_packages } = service;
  return {
    service,
    shipsOn: (date) => weekdays === undefined || weekdays.includes(weekdayOf(date)),
    options: new Set(options),
    maxWeight: max_weight_kg === undefined ? Infinity : thousandths(max_weight_kg),
    maxSide: max_side_cm === undefined ? Infinity : thousandths(max_side_cm),
    maxPackages: max_packages ?? Infinity,
  };
}
