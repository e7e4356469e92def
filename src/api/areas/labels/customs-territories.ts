/**
 * Customs territories. A parcel within one of them needs no customs declaration. Areas outside the common VAT area of
 * the European Union count as separate territories, because parcels to them need a declaration as well.
 */

/** Countries without customs declarations between them. */
const UNIONS: readonly (readonly string[])[] = [
  // The European Union and Monaco.
  ('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK' as const).split(' '),
  ['CH', 'LI'],
  ['GB', 'IM'],
  ['US', 'PR'],
];

/** Areas with their own rules inside a country: beginnings of their postal codes. */
const AREAS: readonly { readonly country: string; readonly name: string; readonly prefixes: readonly string[] }[] = [
  { country: 'DE', name: 'Helgoland', prefixes: ['27498'] },
  { country: 'DE', name: 'Büsingen', prefixes: ['78266'] },
  { country: 'ES', name: 'Canary Islands', prefixes: ['35', '38'] },
  { country: 'ES', name: 'Ceuta', prefixes: ['51'] },
  { country: 'ES', name: 'Melilla', prefixes: ['52'] },
  { country: 'FI', name: 'Åland', prefixes: ['22'] },
  { country: 'FR', name: 'overseas', prefixes: ['97', '986', '987', '988'] },
  { country: 'GR', name: 'Mount Athos', prefixes: ['63086'] },
  { country: 'IT', name: 'Livigno', prefixes: ['23041'] },
  { country: 'IT', name: 'Campione', prefixes: ['22061'] },
];

/** Military addresses in US format need a declaration. */
const MILITARY = new Set(['AA', 'AE', 'AP']);

export interface CustomsPlace {
  readonly country: string;
  readonly region?: string | undefined;
  readonly postal_code?: string | undefined;
}

/** Name of the customs territory: places with the same name exchange parcels without a declaration. */
export function customsTerritory({ country, region, postal_code }: CustomsPlace): string {
  const code = postal_code?.replaceAll(/[\s-]/g, '').replace(new RegExp(`^${country}`, 'i'), '');
  const area = AREAS.find(
    (one) => one.country === country && one.prefixes.some((prefix) => code?.startsWith(prefix) ?? false),
  );
  if (area) return `${country} ${area.name}`;
  if (country === 'US' && region !== undefined && MILITARY.has(region.toUpperCase())) return 'US military';
  return UNIONS.find((union) => union.includes(country))?.[0] ?? country;
}

export const needsCustoms = (from: CustomsPlace, to: CustomsPlace): boolean =>
  customsTerritory(from) !== customsTerritory(to);
