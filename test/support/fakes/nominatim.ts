/**
 * A Nominatim server by the documentation of its API 4.x (structured search, reverse; jsonv2). It knows two houses, a
 * street and a town, and records the time and the user agent of requests.
 */
import { startJsonServer, type JsonServer } from './json-server.js';

const HOUSE = {
  place_id: 100149,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0. https://osm.org/copyright',
  osm_type: 'node',
  osm_id: 107775,
  lat: '52.5100001',
  lon: '13.3300002',
  category: 'place',
  type: 'house',
  place_rank: 30,
  importance: 0.0000725,
  addresstype: 'place',
  name: '',
  display_name: '7, Bleibtreustraße, Charlottenburg, Berlin, 10623, Deutschland',
  icon: 'http://169.254.169.254/never-fetched.png',
  address: {
    house_number: '7',
    road: 'Bleibtreustraße',
    suburb: 'Charlottenburg',
    city: 'Berlin',
    postcode: '10623',
    country: 'Deutschland',
    country_code: 'de',
  },
  boundingbox: ['52.5099', '52.5101', '13.3299', '13.3301'],
};
const STREET = {
  ...HOUSE,
  osm_type: 'way',
  category: 'highway',
  type: 'residential',
  place_rank: 26,
  addresstype: 'road',
  lat: '52.5110',
  lon: '13.3310',
  display_name: 'Bleibtreustraße, Charlottenburg, Berlin, 10623, Deutschland',
  address: { road: 'Bleibtreustraße', city: 'Berlin', postcode: '10623', country_code: 'de' },
};
const TOWN = {
  ...HOUSE,
  osm_type: 'relation',
  category: 'boundary',
  type: 'administrative',
  place_rank: 16,
  addresstype: 'town',
  lat: '53.1',
  lon: '13.2',
  display_name: 'Zehdenick, Oberhavel, Brandenburg, Deutschland',
  address: { town: 'Zehdenick', country_code: 'de' },
};
/** Two streets with the same name in distant towns. */
const TWINS = [STREET, { ...STREET, lat: '50.1', lon: '8.6', display_name: 'Doppelweg, Frankfurt, Deutschland' }];

export const NOMINATIM_HOUSE = { latitude: 52.5100001, longitude: 13.3300002 };

export async function startNominatim(): Promise<JsonServer> {
  return startJsonServer((path) => {
    const url = new URL(path, 'http://double');
    const parameter = (name: string) => url.searchParams.get(name) ?? '';
    if (parameter('format') !== 'jsonv2') return { status: 400, json: { error: { code: 400, message: 'format' } } };
    if (url.pathname === '/search') return { status: 200, json: search(parameter('street'), parameter('city')) };
    if (url.pathname === '/reverse') {
      const far =
        Math.abs(Number(parameter('lat')) - 52.51) > 0.01 || Math.abs(Number(parameter('lon')) - 13.33) > 0.01;
      return { status: 200, json: far ? { error: 'Unable to geocode' } : HOUSE };
    }
    return { status: 404, json: {} };
  });
}

function search(street: string, city: string): readonly object[] {
  if (street === 'Bleibtreustraße 7') return [STREET, HOUSE];
  if (street.startsWith('Bleibtreustraße')) return [STREET];
  if (street.startsWith('Doppelweg')) return TWINS;
  return city === 'Zehdenick' ? [TOWN] : [];
}
