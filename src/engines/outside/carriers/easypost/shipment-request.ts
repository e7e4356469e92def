/** The request that creates a shipment: one package, in ounces and inches. */
import type { CarrierError, CarrierPackage, CarrierShipment, CarrierStop, LabelFormat } from '../port.js';
import type { EasypostSettings } from './account.js';
import { toCustomsInfo, unservedCustoms } from './customs.js';
import { toInches, toOunces } from './units.js';

const SIGNATURES = { any: 'SIGNATURE', adult: 'ADULT_SIGNATURE' } as const;

/** Carriers print at most this many characters of a reference. */
const MAX_PRINTED = 30;

export interface ShipmentRequest {
  readonly shipment: CarrierShipment;
  readonly parcel: CarrierPackage;
  readonly settings: EasypostSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Id of the effect. */
  readonly reference?: string;
  readonly labelFormat?: LabelFormat;
}

const notServed = (text: string): CarrierError => ({ code: 'NOT_SERVED', text, retryable: false });

/** Why EasyPost cannot transport the shipment. Undefined: it can be asked. */
export function unserved({ packages, customs, options, from, to }: CarrierShipment): CarrierError | undefined {
  if (packages.some(({ length_cm, width_cm, height_cm }) => !length_cm || !width_cm || !height_cm))
    return { code: 'DIMENSIONS_NEEDED', text: 'EasyPost needs length, width and height.', retryable: false };
  // Each package is a separate shipment with its own options, so the recipient would pay the amount several times.
  if (packages.length > 1 && options.cod_amount !== undefined)
    return notServed('EasyPost collects cash on delivery for each package.');
  if (packages.length > 1 && options.insurance_amount !== undefined) return notServed('EasyPost insures each package.');
  if (!customs) return undefined;
  // Each package is a separate shipment, whose declaration must contain only its goods.
  if (packages.length > 1) return notServed('EasyPost needs a customs declaration for each package.');
  const text = unservedCustoms(customs, { from, to });
  return text === undefined ? undefined : notServed(text);
}

export function toShipmentRequest(request: ShipmentRequest) {
  const { shipment, parcel, settings, reference } = request;
  const { from, to, return_to, customs } = shipment;
  return {
    shipment: {
      from_address: toAddress(from),
      to_address: {
        ...toAddress(to),
        ...(shipment.options.residential !== undefined && { residential: shipment.options.residential }),
      },
      ...(return_to && { return_address: toAddress(return_to) }),
      parcel: {
        length: toInches(parcel.length_cm!),
        width: toInches(parcel.width_cm!),
        height: toInches(parcel.height_cm!),
        weight: toOunces(parcel.weight_kg),
      },
      ...(customs && { customs_info: toCustomsInfo(customs, { from, to, signer: settings.customs_signer }) }),
      options: toOptions(request),
      ...(settings.carrier_accounts && { carrier_accounts: settings.carrier_accounts }),
      ...(reference !== undefined && { reference }),
    },
  };
}

function toOptions({ shipment, settings, labelFormat, now }: ShipmentRequest) {
  const { options, ship_date, order_ref, customs } = shipment;
  const signature = options.signature === undefined || options.signature === 'none' ? undefined : options.signature;
  return {
    ...(labelFormat && { label_format: labelFormat.toUpperCase() }),
    // A label of today has no date: noon may be over.
    ...(Date.parse(`${ship_date}T00:00:00Z`) > now && { label_date: `${ship_date}T12:00:00Z` }),
    ...(order_ref !== undefined && { invoice_number: order_ref.slice(0, MAX_PRINTED) }),
    ...(settings.currency !== 'USD' && { currency: settings.currency }),
    ...(signature && { delivery_confirmation: SIGNATURES[signature] }),
    ...(options.saturday === true && { saturday_delivery: true }),
    ...(options.cod_amount !== undefined && { cod_amount: options.cod_amount, cod_method: settings.cod_method }),
    // DDU was replaced by DAP in Incoterms 2010. The recipient pays the duties with both.
    ...(customs && { incoterm: customs.incoterm === 'DDP' ? 'DDP' : 'DAP' }),
  };
}

function toAddress({ name, company, street, street_2, city, region, postal_code, country, phone, email }: CarrierStop) {
  return {
    ...(name !== undefined && { name }),
    ...(company !== undefined && { company }),
    ...(street !== undefined && { street1: street }),
    ...(street_2 !== undefined && { street2: street_2 }),
    ...(city !== undefined && { city }),
    ...(region !== undefined && { state: region }),
    ...(postal_code !== undefined && { zip: postal_code }),
    country,
    ...(phone !== undefined && { phone }),
    ...(email !== undefined && { email }),
  };
}
