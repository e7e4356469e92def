/**
 * The messages of the API: one row a code, with its HTTP status and its text in all six languages, side by side.
 * An area brings its rows in a file of its own and makes their codes known to the compiler there:
 *
 *     export const ROUTE_MESSAGES = messages({ ROUTE_CLOSED: { status: 409, en: '...', fr: '...', ... } });
 *     declare module '../../core/messages/messages.js' {
 *       interface MessageCodes extends CodesOf<typeof ROUTE_MESSAGES> {}
 *     }
 */
import type { Language, Texts } from '../../../events/core/languages.js';
import { fill, type Params } from '../../../events/otep/check/findings.js';

export { LANGUAGES, type Language, type Texts } from '../../../events/core/languages.js';

export interface MessageRow extends Texts {
  /** HTTP status of the error. Absent: the code occurs inside answers only (fields, entries of lists). */
  readonly status?: number;
}

/** Code and status of rows, for the declaration of `MessageCodes`. */
export type CodesOf<Rows> = {
  readonly [Code in keyof Rows]: Rows[Code] extends { readonly status: infer Status } ? Status : undefined;
};

/** All codes, with their statuses. Each file of messages adds its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MessageCodes {}

/** A code that has a text. */
export type MessageCode = keyof MessageCodes & string;
/**
 * A code that a response as a whole can have. A code that does not compile has no row yet: add one with a status to
 * `src/api/areas/<area>/messages.ts`, or to a file of this folder.
 */
export type ErrorCode = { [Code in MessageCode]: MessageCodes[Code] extends number ? Code : never }[MessageCode];

const rows = new Map<string, MessageRow>();

/**
 * Adds rows to the catalogue. Throws at load when a code has a row already: two meanings of a code cannot be told
 * apart.
 */
export function messages<const Rows extends Readonly<Record<string, MessageRow>>>(added: Rows): Rows {
  for (const [code, row] of Object.entries(added)) {
    if (rows.has(code))
      throw new Error(
        `The message ${code} is defined twice: give one of them another code (messages.ts in src/api/areas/<area>, or src/api/core/messages).`,
      );
    rows.set(code, { ...row, fr: french(row.fr) });
  }
  return added;
}

/** French has a space before a colon and its like at which no line may break; in the sources it is an ordinary one. */
const french = (text: string): string =>
  text
    .replace(/ (?=[:»])/g, '\u00a0')
    .replace(/« /g, '«\u00a0')
    .replace(/ (?=[;!?])/g, '\u202f');

/** The text of `code` in `language`, with its parameters filled in; the bare code where no loaded area has it. */
export const translate = (code: MessageCode, params: Params | undefined, language: Language): string =>
  fill(rows.get(code)?.[language] ?? code, params);

/** HTTP status of an error; 500 for a code of no loaded area. */
export const statusOf = (code: ErrorCode): number => rows.get(code)?.status ?? 500;

export const isErrorCode = (code: string): code is ErrorCode => rows.get(code)?.status !== undefined;

/** The codes that an answer as a whole can have, in the order of the areas. */
export const errorCodes = (): ErrorCode[] => [...rows.keys()].filter(isErrorCode);

/** Every code with its row, in the order of the areas. */
export const allMessages = (): ReadonlyMap<MessageCode, MessageRow> => rows as ReadonlyMap<MessageCode, MessageRow>;

declare module '../../../commands/core/domain-error.js' {
  interface RefusalCodes extends Readonly<Record<ErrorCode, true>> {}
}
