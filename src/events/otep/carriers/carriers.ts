/**
 * Carriers with a table of status codes (rule N16 of the protocol). The rows of a table are in
 * `tables/<name>.csv`; `tables/README.md` describes the columns, the lookup rules and the sources.
 */

const NAMED = [
  ['fedex', 'FedEx'],
  ['ups', 'UPS'],
  ['ups-mail-innovations', 'UPS Mail Innovations'],
  ['usps', 'USPS'],
  ['dhl-express', 'DHL Express'],
  ['dhl-parcel-de', 'DHL Parcel Germany'],
  ['dhl-ecommerce', 'DHL eCommerce Americas and Asia'],
  ['dhl-ecommerce-europe', 'DHL eCommerce Europe'],
  ['dhl-parcel-nl', 'DHL eCommerce Netherlands'],
  ['dhl-parcel-pl', 'DHL eCommerce Poland'],
  ['dhl-freight', 'DHL Freight'],
  ['dhl-unified', 'DHL Unified Tracking (all divisions)'],
  ['ppl-cz', 'PPL Czech Republic'],
  ['dpd', 'DPD'],
  ['gls', 'GLS'],
  ['gls-spain', 'GLS Spain (ASM)'],
  ['hermes-de', 'Hermes Germany'],
  ['evri', 'Evri (UK)'],
  ['royal-mail', 'Royal Mail'],
  ['canada-post', 'Canada Post'],
  ['purolator', 'Purolator'],
  ['canpar', 'Canpar'],
  ['ontrac', 'OnTrac'],
  ['australia-post', 'Australia Post'],
  ['nz-post', 'NZ Post'],
  ['aramex-au-nz', 'Aramex Australia and New Zealand'],
  ['sendle', 'Sendle'],
  ['la-poste', 'La Poste, Suivi API'],
  ['colissimo', 'Colissimo'],
  ['chronopost', 'Chronopost'],
  ['bpost', 'bpost'],
  ['postnl', 'PostNL'],
  ['postnord', 'PostNord'],
  ['posten-bring', 'Posten Norge and Bring'],
  ['swiss-post', 'Swiss Post'],
  ['austrian-post', 'Austrian Post'],
  ['poste-italiane', 'Poste Italiane'],
  ['correos-es', 'Correos (Spain)'],
  ['seur', 'SEUR (Spain)'],
  ['ctt-express', 'CTT Express'],
  ['an-post', 'An Post (Ireland)'],
  ['inpost', 'InPost'],
  ['packeta', 'Packeta (Zásilkovna)'],
  ['foxpost', 'Foxpost (Hungary)'],
  ['magyar-posta', 'Magyar Posta'],
  ['ceska-posta', 'Česká pošta'],
  ['poczta-polska', 'Poczta Polska'],
  ['sameday', 'Sameday'],
  ['nova-post', 'Nova Post'],
  ['db-schenker', 'DB Schenker'],
  ['tnt', 'TNT'],
  ['landmark', 'Landmark Global'],
  ['seko', 'SEKO'],
  ['spring', 'Spring GDS'],
  ['smartkargo', 'SmartKargo'],
  ['cainiao', 'Cainiao'],
  ['cj-logistics', 'CJ Logistics (Korea)'],
  ['yamato', 'Yamato (Japan)'],
  ['sagawa', 'Sagawa (Japan)'],
  ['amazon-shipping', 'Amazon Shipping v2'],
  ['amazon-mcf', 'Amazon Multi-Channel Fulfillment'],
  ['shipengine', 'ShipEngine (aggregator)'],
  ['upu-ems', 'UPU, EMS events'],
] as const satisfies readonly (readonly [name: string, title: string])[];

/** Name of a table, which is also the name of its file. */
export type CarrierName = (typeof NAMED)[number][0];

export interface Carrier {
  readonly name: CarrierName;
  /** Name of the carrier for people. */
  readonly title: string;
}

export const CARRIERS: readonly Carrier[] = NAMED.map(([name, title]) => ({ name, title }));
export const CARRIER_NAMES: readonly CarrierName[] = CARRIERS.map(({ name }) => name);

const byName = new Map<string, Carrier>(CARRIERS.map((carrier) => [carrier.name, carrier]));

/** The carrier of a name; surrounding spaces and case are ignored. Undefined for a carrier without a table. */
export const carrierNamed = (text: string): Carrier | undefined => byName.get(text.trim().toLowerCase());
