/** The carriers and aggregators that accounts can use. A new adapter is added here, and nowhere else. */
import { createEasypost, type EasypostOptions } from './easypost/easypost.js';
import type { CarrierAdapter } from './port.js';
import type { CarrierServices } from './services.js';
import { createSheet } from './sheet/adapter.js';

/** What adapters with a network need of the operator. */
export interface CarrierOptions {
  readonly easypost: EasypostOptions;
}

/** The adapters by id. Throws if two adapters have the same id, or if one cannot recognize a repeated purchase. */
export function createCarriers(
  services: CarrierServices,
  { easypost }: CarrierOptions,
): ReadonlyMap<string, CarrierAdapter> {
  const adapters = [createSheet(services), createEasypost(easypost)];
  for (const { id, purchase } of adapters) {
    if (!/^[a-z][a-z0-9_]{1,31}$/.test(id)) throw new Error(`${id} is not a valid id of a carrier adapter.`);
    if (purchase.dedupe === 'none') throw new Error(`The adapter ${id} cannot recognize a repeated purchase.`);
    if (adapters.filter((one) => one.id === id).length > 1) throw new Error(`Two adapters have the id ${id}.`);
  }
  return new Map(adapters.map((one) => [one.id, one]));
}
