/** cargo:Location of an event. Codes that have an IRI are referenced, never embedded: ONE Record, "Code lists". */
import type { Location } from '../../events/otep/model.js';
import { hasAddress, placeCode } from '../support/place.js';
import { UNECE } from '../support/rec24.js';
import { double, embeddedId, type Node } from './nodes.js';

/** `parent` is the UUID of the event, from which the ids of the embedded objects are derived. */
export function location(place: Location, parent: string, baseUrl: string): Node {
  const node: Node = { '@id': embeddedId(parent, 'Location'), '@type': 'cargo:Location' };
  if (place.name !== undefined) node['cargo:locationName'] = place.name;
  if (place.code !== undefined) node['cargo:locationCodes'] = code(place.code, place.country, baseUrl);
  if (hasAddress(place)) node['cargo:address'] = address(place, parent, baseUrl);
  if (place.latitude !== undefined && place.longitude !== undefined) {
    node['cargo:geolocation'] = {
      '@id': embeddedId(parent, 'Geolocation'),
      '@type': 'cargo:Geolocation',
      'cargo:latitude': double(place.latitude),
      'cargo:longitude': double(place.longitude),
    };
  }
  return node;
}

function address(place: Location, parent: string, baseUrl: string): Node {
  const node: Node = { '@id': embeddedId(parent, 'Address'), '@type': 'cargo:Address' };
  if (place.city !== undefined) node['cargo:cityName'] = place.city;
  if (place.region !== undefined) {
    const fragment = place.country === undefined ? place.region : `${place.country}-${place.region}`;
    node['cargo:regionCode'] = ownCode('Region', fragment, place.region, baseUrl);
  }
  if (place.postal_code !== undefined) node['cargo:textualPostCode'] = place.postal_code;
  if (place.country !== undefined)
    node['cargo:country'] = { '@id': `${UNECE}CountryId#${encodeURIComponent(place.country)}` };
  return node;
}

function code(text: string, country: string | undefined, baseUrl: string): Node {
  const kind = placeCode(text, country);
  if (kind === 'unlocode') return { '@id': `${UNECE}unlocode#${text}` };
  return ownCode(kind === 'gln' ? 'GLN' : 'Location', text, text, baseUrl);
}

/** A code without a public IRI: `{baseURL}/{codeListName}#{code}`, with the content that the IRI would return. */
const ownCode = (list: string, fragment: string, text: string, baseUrl: string): Node => ({
  '@id': `${baseUrl}/${list}#${encodeURIComponent(fragment)}`,
  '@type': 'cargo:CodeListElement',
  'cargo:code': text,
  'cargo:codeListName': list,
});
