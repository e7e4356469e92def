/** The list of carriers of the double: a part of EasyPost's. */
const level = (carrier: string, name: string, title: string) => ({
  carrier,
  name,
  human_readable: title,
  description: null,
  dimensions: [],
  max_weight: null,
});
const carrier = (name: string, title: string, levels: readonly [string, string][]) => ({
  human_readable: title,
  name,
  predefined_packages: [],
  service_levels: levels.map(([service, text]) => level(name, service, text)),
  shipment_options: [],
  supported_features: [],
});
export const METADATA = {
  carriers: [
    carrier('usps', 'USPS', [
      ['Priority', 'Priority Mail®'],
      ['Express', 'Priority Mail Express®'],
      ['GroundAdvantage', 'USPS Ground Advantage®'],
    ]),
    carrier('dhlexpress', 'DHL Express', [['ExpressWorldwide', 'Express Worldwide']]),
    carrier('ups', 'UPS', [['Ground', 'UPS Ground®']]),
  ],
};
