/** Maps findings in native events to their places in the posted EPCIS document. */
import { isRecord, type JsonRecord } from '../../../serializers/epcis/records.js';

/** The value at a JSON Pointer (RFC 6901); undefined if there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as JsonRecord | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

/** The events of a posted document, in the order of `readings`; a single event gives a list of one. */
export function eventsOf(document: unknown, readings: readonly { readonly pointer: string }[]): readonly JsonRecord[] {
  const first = readings[0]?.pointer ?? '';
  return first === ''
    ? [document as JsonRecord]
    : (valueAt(document, first.slice(0, first.lastIndexOf('/'))) as readonly JsonRecord[]);
}

/** Members of an EPCIS event from which each member of the native event is read. */
const SOURCE_PATHS: Readonly<Record<string, readonly string[]>> = {
  occurred_at: ['errorDeclaration/declarationTime', 'eventTime'],
  event_id: ['eventID'],
  retracts: ['errorDeclaration'],
  location: ['readPoint/id', 'bizLocation/id'],
  raw: ['bizStep'],
  status_code: ['bizStep'],
};

/**
 * Pointer to the EPCIS source of a member of the native event (`member`: a pointer into the native event). Returns the
 * pointer of the whole event if no closer source is known.
 */
export function memberPath(event: JsonRecord, pointer: string, member: string, isNative: boolean): string {
  const [, name = '', ...rest] = member.split('/');
  if (isNative) {
    const extensionKey = Object.keys(event).find((key) => key.endsWith(`:${name}`));
    if (extensionKey !== undefined) {
      const innerKey =
        isRecord(event[extensionKey]) && rest[0] !== undefined
          ? Object.keys(event[extensionKey]).find((key) => key.endsWith(`:${rest[0]}`))
          : undefined;
      return `${pointer}/${extensionKey}${innerKey === undefined ? '' : `/${innerKey}`}`;
    }
  }
  const source = SOURCE_PATHS[name]?.find((path) => valueAt(event, `/${path}`) !== undefined);
  return source === undefined ? pointer : `${pointer}/${source}`;
}
