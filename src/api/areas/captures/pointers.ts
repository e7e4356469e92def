/** Finds the place in a posted EPCIS document for a finding in its native reading. */
import { isRecord, type JsonRecord } from '../../../serializers/epcis/records.js';

/** The JSON value at a pointer of RFC 6901; undefined where there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as JsonRecord | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

/** The events of a posted document, in the order of its readings; a lone event is a list of itself. */
export function eventsOf(document: unknown, readings: readonly { readonly pointer: string }[]): readonly JsonRecord[] {
  const first = readings[0]?.pointer ?? '';
  return first === ''
    ? [document as JsonRecord]
    : (valueAt(document, first.slice(0, first.lastIndexOf('/'))) as readonly JsonRecord[]);
}

/** What of an EPCIS event the members of its native reading come from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  occurred_at: ['errorDeclaration/declarationTime', 'eventTime'],
  event_id: ['eventID'],
  retracts: ['errorDeclaration'],
  location: ['readPoint/id', 'bizLocation/id'],
  raw: ['bizStep'],
  status_code: ['bizStep'],
};

/**
 * Pointer to what a member of the native event (a pointer into that) comes from; the event's own where nothing nearer
 * is known.
 */
export function memberPath(event: JsonRecord, pointer: string, member: string, ours: boolean): string {
  const [, name = '', ...rest] = member.split('/');
  if (ours) {
    const own = Object.keys(event).find((key) => key.endsWith(`:${name}`));
    if (own !== undefined) {
      const inside =
        isRecord(event[own]) && rest[0] !== undefined
          ? Object.keys(event[own]).find((key) => key.endsWith(`:${rest[0]}`))
          : undefined;
      return `${pointer}/${own}${inside === undefined ? '' : `/${inside}`}`;
    }
  }
  const source = SOURCES[name]?.find((path) => valueAt(event, `/${path}`) !== undefined);
  return source === undefined ? pointer : `${pointer}/${source}`;
}
