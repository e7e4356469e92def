/**
 * Customs territories. A parcel within one of them needs no customs declaration. Areas outside the common VAT area of
 * the European Union count as separate territories, because parcels to them need a declaration as well.
 *
 * Sources: the territorial scope of the European Commission; the treaty of 1964 about Büsingen; general note 2 of the
 * tariff schedule of the United States; the customs pages of Jersey Post, Guernsey Post, La Poste and Royal Mail.
 */

/** Countries without customs declarations between them. */
const UNIONS: readonly (readonly string[])[] = [
  // The European Union and Monaco.
  ('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK' as const).split(' '),
  ['CH', 'LI'],
  ['GB', 'IM'],
  // Not the other islands of the United States.
  ['US', 'PR'],
];
const EUROPEAN_UNION = UNIONS[0]!;

/**
 * Areas with their own rules inside a country: beginnings of their postal codes. `territory`: the code of the area if it
 * has one, because addresses have one or the other.
 */
interface Area {
  readonly country: string;
  readonly territory: string;
  readonly prefixes: readonly string[];
}

const AREAS: readonly Area[] = [
  { country: 'DE', territory: 'Helgoland', prefixes: ['27498'] },
  // Part of the Swiss customs territory by a treaty.
  { country: 'DE', territory: 'CH', prefixes: ['78266'] },
  { country: 'DK', territory: 'GL', prefixes: ['39'] },
  { country: 'ES', territory: 'Canary Islands', prefixes: ['35', '38'] },
  { country: 'ES', territory: 'Ceuta', prefixes: ['51'] },
  { country: 'ES', territory: 'Melilla', prefixes: ['52'] },
  { country: 'FI', territory: 'AX', prefixes: ['22'] },
  { country: 'FR', territory: 'BL', prefixes: ['97133', '97700'] },
  { country: 'FR', territory: 'MF', prefixes: ['97150', '97800'] },
  { country: 'FR', territory: 'GP', prefixes: ['971'] },
  { country: 'FR', territory: 'MQ', prefixes: ['972'] },
  { country: 'FR', territory: 'GF', prefixes: ['973'] },
  { country: 'FR', territory: 'RE', prefixes: ['974'] },
  { country: 'FR', territory: 'PM', prefixes: ['975'] },
  { country: 'FR', territory: 'YT', prefixes: ['976'] },
  { country: 'FR', territory: 'TF', prefixes: ['984'] },
  { country: 'FR', territory: 'WF', prefixes: ['986'] },
  { country: 'FR', territory: 'PF', prefixes: ['987'] },
  { country: 'FR', territory: 'NC', prefixes: ['988'] },
  { country: 'GR', territory: 'Mount Athos', prefixes: ['63086', '63087'] },
  { country: 'IT', territory: 'Livigno', prefixes: ['23041'] },
  { country: 'IT', territory: 'Campione', prefixes: ['22061'] },
  { country: 'US', territory: 'VI', prefixes: ['008'] },
  { country: 'US', territory: 'AS', prefixes: ['96799'] },
  { country: 'US', territory: 'UM', prefixes: ['96898'] },
  { country: 'US', territory: 'PW', prefixes: ['96939', '96940'] },
  { country: 'US', territory: 'FM', prefixes: ['96941', '96942', '96943', '96944'] },
  { country: 'US', territory: 'MP', prefixes: ['96950', '96951', '96952'] },
  { country: 'US', territory: 'MH', prefixes: ['96960', '96970'] },
  { country: 'US', territory: 'GU', prefixes: ['969'] },
  { country: 'US', territory: 'US military', prefixes: ['09', '340', '962', '963', '964', '965', '966'] },
];

/** Codes of the region in an address of the United States that are separate territories. */
const US_REGIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['AS', 'FM', 'GU', 'MH', 'MP', 'PW', 'UM', 'VI'].map((code) => [code, code])),
  ...Object.fromEntries(['AA', 'AE', 'AP'].map((code) => [code, 'US military'])),
};

/** Crown dependencies with postal codes of the United Kingdom. The Isle of Man is one customs territory with it. */
const UK_AREAS: Readonly<Record<string, string>> = { GY: 'GG', JE: 'JE' };

export interface CustomsPlace {
  readonly country: string;
  readonly region?: string | undefined;
  readonly postal_code?: string | undefined;
}

/** Name of the customs territory: places with the same name exchange parcels without a declaration. */
export function customsTerritory({ country, region, postal_code = '' }: CustomsPlace): string {
  const territory =
    (country === 'US' ? US_REGIONS[region?.trim().toUpperCase() ?? ''] : undefined) ??
    (country === 'GB' ? UK_AREAS[postcodeArea(postal_code)] : areaOf(country, postal_code)) ??
    country;
  return UNIONS.find((union) => union.includes(territory))?.[0] ?? territory;
}

/** Postal codes of these countries are digits; some senders write the country before them, such as `D-27498`. */
function areaOf(country: string, postalCode: string): string | undefined {
  const digits = postalCode.replaceAll(/\D/g, '');
  return AREAS.find((one) => one.country === country && one.prefixes.some((prefix) => digits.startsWith(prefix)))
    ?.territory;
}

/** The letters before the first digit: `GY1 1AA` is of the area `GY`. */
const postcodeArea = (postalCode: string): string =>
  /^\s*([a-z]{1,2})\s*\d/i.exec(postalCode)?.[1]?.toUpperCase() ?? '';

/** Goods between Northern Ireland and the European Union need no declaration, although it is a part of the UK. */
const isNorthernIreland = ({ country, postal_code = '' }: CustomsPlace): boolean =>
  country === 'GB' && postcodeArea(postal_code) === 'BT';

export function needsCustoms(from: CustomsPlace, to: CustomsPlace): boolean {
  const [one, other] = [customsTerritory(from), customsTerritory(to)];
  const isExempt =
    (isNorthernIreland(from) && other === EUROPEAN_UNION[0]) || (isNorthernIreland(to) && one === EUROPEAN_UNION[0]);
  return one !== other && !isExempt;
}
