/**
 * Street addresses of the demo with coordinates: the content of its geocoding dataset. Each position lies on the
 * street, near the house.
 */
export interface Street {
  readonly street: string;
  readonly postal_code: string;
  readonly city: string;
  readonly position: { readonly latitude: number; readonly longitude: number };
}

const BERLIN = [
  ['Invalidenstraße 44', '10115', 52.5302, 13.379],
  ['Kantstraße 12', '10623', 52.5061, 13.3206],
  ['Westhafenstraße 1', '13353', 52.5363, 13.3445],
  ['Friedrichstraße 100', '10117', 52.5211, 13.3878],
  ['Unter den Linden 6', '10117', 52.5178, 13.3936],
  ['Torstraße 60', '10119', 52.5286, 13.4079],
  ['Karl-Marx-Allee 33', '10178', 52.5204, 13.4239],
  ['Prenzlauer Allee 80', '10405', 52.5387, 13.4243],
  ['Schönhauser Allee 80', '10439', 52.5496, 13.4137],
  ['Frankfurter Allee 53', '10247', 52.5149, 13.4647],
  ['Warschauer Straße 33', '10243', 52.5079, 13.4507],
  ['Oranienstraße 25', '10999', 52.5005, 13.4208],
  ['Mehringdamm 33', '10961', 52.4951, 13.3878],
  ['Karl-Marx-Straße 66', '12043', 52.4805, 13.4354],
  ['Hermannstraße 20', '12049', 52.4838, 13.4253],
  ['Potsdamer Straße 96', '10785', 52.5014, 13.3664],
  ['Kurfürstendamm 21', '10719', 52.5034, 13.3303],
  ['Turmstraße 21', '10559', 52.5262, 13.3433],
  ['Müllerstraße 140', '13353', 52.5475, 13.3552],
] as const;
const HAMBURG = [
  ['Jungfernstieg 7', '20095', 53.5526, 9.9936],
  ['Großmannstraße 80', '20539', 53.5383, 10.0479],
  ['Mönckebergstraße 7', '20095', 53.5512, 10.0015],
  ['Steindamm 14', '20099', 53.5545, 10.0108],
  ['Reeperbahn 1', '20359', 53.5497, 9.9697],
  ['Osterstraße 120', '20255', 53.5762, 9.9523],
] as const;
const MUNICH = [['Sendlinger Straße 3', '80331', 48.136, 11.5706]] as const;

const inCity = (city: string, rows: readonly (readonly [string, string, number, number])[]): readonly Street[] =>
  rows.map(([street, postal_code, latitude, longitude]) => ({
    street,
    postal_code,
    city,
    position: { latitude, longitude },
  }));

export const STREETS: readonly Street[] = [
  ...inCity('Berlin', BERLIN),
  ...inCity('Hamburg', HAMBURG),
  ...inCity('München', MUNICH),
];

/** Throws if the demo has no such street. */
export function streetOf(name: string): Street {
  const found = STREETS.find(({ street }) => street === name);
  if (!found) throw new Error(`The demo has no street ${name}: add it to STREETS.`);
  return found;
}
