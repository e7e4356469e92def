/**
 * Checks that a document is a collection of logistics events by the API specification and the ontology of ONE Record.
 */
import { OTEP_TERMS } from '../../../src/serializers/support/members.js';
import { quadsOf } from './jsonld.js';
import { officialJson, officialText } from './official.js';
import { Ontology, ontologyErrors } from './ontology.js';

const ONTOLOGIES = [
  'onerecord/IATA-1R-DM-Ontology.ttl',
  'onerecord/ONE-Record-API-Ontology.ttl',
  'onerecord/IATA-1R-CL-Ontology.ttl',
];
export const ONE_RECORD_FILES = [...ONTOLOGIES, 'uncefact/rec24.json'];

const CARGO = 'https://onerecord.iata.org/ns/cargo#';
const API = 'https://onerecord.iata.org/ns/api#';
const CODES = 'https://onerecord.iata.org/ns/code-lists/';
const UNECE = 'https://vocabulary.uncefact.org/';
const EMBEDDED_ID = /^internal:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const REC24 = `${UNECE}LogisticsStatusCodeList#`;

type Item = Record<string, unknown> & { '@id'?: unknown };
type Document = Record<string, unknown> & { 'api:hasItem'?: Item | Item[] };

/** Returns a validator that uses the official files. The validator returns all errors, one line each. */
export function oneRecordValidator(): (document: unknown, address: string) => Promise<string[]> {
  const ontology = new Ontology(...ONTOLOGIES.map(officialText));
  const rec24 = new Set((officialJson('uncefact/rec24.json') as { iri: string }[]).map((row) => row.iri));
  const foreign = (iri: string, range: string): boolean => {
    if (iri.startsWith('https://onerecord.iata.org/')) return false;
    if (iri.startsWith(REC24)) return rec24.has(iri) && range === `${CARGO}CodeListElement`;
    return range === `${CARGO}CodeListElement` && iri.startsWith(UNECE);
  };
  return async (document, address) => {
    try {
      const quads = await quadsOf(document);
      return [
        ...formErrors(document as Document, address),
        ...ontologyErrors(quads, ontology, { namespaces: [CARGO, API, CODES], extensions: [OTEP_TERMS], foreign }),
      ];
    } catch (error) {
      return [`not JSON-LD: ${String(error)}`];
    }
  };
}

/** Rules of the API specification, "Logistics Events" and "Implementation guidelines". */
function formErrors(document: Document, address: string): string[] {
  const errors: string[] = [];
  const item = document['api:hasItem'];
  const items = item === undefined ? [] : Array.isArray(item) ? item : [item];
  if (document['@id'] !== address) errors.push('@id is not the address that gave the collection');
  if (document['@type'] !== 'api:Collection') errors.push('not an api:Collection');
  if (document['api:hasTotalItems'] !== items.length) errors.push('hasTotalItems does not count the items');
  if (Array.isArray(item) && item.length < 2) errors.push('hasItem is an array for less than two items');
  if (new Set(items.map((event) => event['@id'])).size !== items.length) errors.push('two events have one @id');
  for (const event of items) {
    if (event['cargo:eventDate'] === undefined) errors.push('an event has no eventDate');
    const timeType = String(event['@id']).endsWith('#planned-delivery') ? 'cargo:PLANNED' : 'cargo:ACTUAL';
    if ((event['cargo:eventTimeType'] as Item | undefined)?.['@id'] !== timeType)
      errors.push(`eventTimeType is not the node ${timeType}`);
  }
  errors.push(...walkErrors(document));
  return errors;
}

function walkErrors(value: unknown): string[] {
  if (value === null) return ['null values should be left out'];
  if (typeof value !== 'object') return [];
  const errors = Object.values(value).flatMap(walkErrors);
  const { '@type': type, '@value': text, '@id': id } = value as Record<string, unknown>;
  if (type === 'http://www.w3.org/2001/XMLSchema#dateTime' && !UTC.test(String(text)))
    errors.push(`${String(text)} is not in UTC`);
  if (typeof id === 'string' && /\s/.test(id)) errors.push(`@id "${id}" holds a space`);
  if (typeof id === 'string' && id.startsWith('internal:') && !EMBEDDED_ID.test(id))
    errors.push(`${id} is not a UUID (v5)`);
  return errors;
}
