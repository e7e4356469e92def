/** Building blocks of ONE Record documents: typed values and ids of embedded objects. */
import { hash } from 'node:crypto';
import { utcOf } from '../support/utc.js';

export type Node = Record<string, unknown>;

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const DATE_TIME = `${XSD}dateTime`;
const DOUBLE = `${XSD}double`;

/**
 * A plain string would be an xsd:string. The ontology requires xsd:dateTime, and the API specification requires UTC.
 */
export const dateTime = (time: string) => ({ '@type': DATE_TIME, '@value': utcOf(time) });

/** Written as text, because a JSON number without a fraction would be read as an xsd:integer. */
export const double = (value: number) => ({ '@type': DOUBLE, '@value': String(value) });

/**
 * Returns the id of an embedded object: `internal:` and a UUID (v5, RFC 9562) of its class name in the namespace of its
 * parent's UUID. The implementation guidelines recommend this. The id must be the same in each serialization.
 */
export function embeddedId(parent: string, className: string): string {
  const digest = hash('sha1', Buffer.concat([Buffer.from(parent.replaceAll('-', ''), 'hex'), Buffer.from(className)]));
  const variant = ((parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `internal:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
