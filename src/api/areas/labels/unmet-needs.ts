/** Finds what a shipment needs and a carrier does not offer. Such a need is never dropped silently. */
import type { CarrierCapabilities } from '../../../engines/outside/carriers/port.js';
import type { CarrierShipment, ShipmentOption } from '../../../engines/outside/carriers/shipment.js';

/** The options that the shipment requests. */
export const requestedOptions = ({ options }: Pick<CarrierShipment, 'options'>): ShipmentOption[] => [
  ...(options.signature === undefined || options.signature === 'none' ? [] : (['signature'] as const)),
  ...(options.insurance_amount === undefined ? [] : (['insurance'] as const)),
  ...(options.saturday === true ? (['saturday'] as const) : []),
  ...(options.cod_amount === undefined ? [] : (['cod'] as const)),
  ...(options.residential === true ? (['residential'] as const) : []),
];

/** Names of the needs that the capabilities do not cover. */
export function unmetNeeds(capabilities: CarrierCapabilities, shipment: CarrierShipment): readonly string[] {
  const { rates, customs, options, countries } = capabilities;
  return [
    ...(rates ? [] : ['rates']),
    ...(shipment.customs && !customs ? ['customs'] : []),
    ...(countries && !countries.includes(shipment.to.country) ? [shipment.to.country] : []),
    ...requestedOptions(shipment).filter((option) => !options.includes(option)),
  ];
}
