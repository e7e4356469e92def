/** The same text for equal documents, whatever the order of their members: RFC 8785. */
import { stringify } from 'safe-stable-stringify';

/**
 * The canonical JSON of a JSON value. Members are sorted by UTF-16 code units; numbers and strings have the form of
 * ECMAScript. The RFC requires nothing else for values without lone surrogates, which are rejected at input. The tests
 * compare it with the RFC's own implementation.
 */
export const canonical = (value: unknown): string => stringify(value) as string;
