/** One text for equal documents, whatever the order of their members: RFC 8785. */
import { stringify } from 'safe-stable-stringify';

/**
 * The canonical JSON of a JSON value. Members in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them, which is all that the RFC asks of values without lone surrogates (those are refused at the
 * door). The tests compare it with the RFC's own implementation.
 */
export const canonical = (value: unknown): string => stringify(value) as string;
