/** A shipment as one service prices it. */
import type { PriceInputs } from '../../events/pricing/inputs.js';
import type { Parcel } from './parcel.js';
import type { CompiledService } from './service.js';

/** The parts that all services share. */
export interface Request {
  readonly inputs: PriceInputs;
  readonly parcels: readonly Parcel[];
  /** Absent: outside all zones. */
  readonly from_zone: string | undefined;
  readonly to_zone: string | undefined;
}

export interface Shipment extends Request {
  readonly service: CompiledService;
  readonly lane: string;
  readonly shipDate: string;
}
