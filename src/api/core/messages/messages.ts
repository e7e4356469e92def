/**
 * The messages of the API: a code, its HTTP status and its text in each language. Texts are in src/messages, one file
 * per language; an area gives the statuses of its codes in `errors` of its registration.
 *
 * An area may also bring complete rows in a file of its own, as `messages` of its registration:
 *
 *     export const ROUTE_MESSAGES = messages({ ROUTE_CLOSED: { status: 409, en: '...', fr: '...', ... } });
 *     declare module '../../core/messages/messages.js' {
 *       interface MessageCodes extends CodesOf<typeof ROUTE_MESSAGES> {}
 *     }
 */
import { LANGUAGES, type Language, type Texts } from '../../../events/core/languages.js';
import { fill, type Params } from '../../../events/otep/check/findings.js';
import { TEXTS, type EntryText, type ErrorText } from '../../../messages/texts.js';

export { LANGUAGES, type Language, type Texts } from '../../../events/core/languages.js';

export interface MessageRow extends Texts {
  /** HTTP status of the error. Absent: the code occurs inside answers only (fields, entries of lists). */
  readonly status?: number;
}

/** Code and status of rows, for the declaration of `MessageCodes`. */
export type CodesOf<Rows> = {
  readonly [Code in keyof Rows]: Rows[Code] extends { readonly status: infer Status } ? Status : undefined;
};

/** Codes of complete rows, with their statuses. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MessageCodes {}

/**
 * A code that a response as a whole can have. A code that does not compile has no text yet: add it to `errors` of
 * src/messages/en.json and of the other languages, and its status to `errors` of its area (src/areas/<area>.ts).
 */
export type ErrorCode =
  | ErrorText
  | { [Code in keyof MessageCodes & string]: MessageCodes[Code] extends number ? Code : never }[keyof MessageCodes &
      string];
/** A code that has a text. */
export type MessageCode = ErrorCode | EntryText | (keyof MessageCodes & string);

/** HTTP statuses of errors that src/messages has texts of. */
export type Statuses = Readonly<Partial<Record<ErrorText, number>>>;

/** The text in each language; English where a file lacks it. */
const textsOf = (section: 'errors' | 'entries'): [code: string, row: MessageRow][] =>
  Object.entries(TEXTS.en[section]).map(([code, english]) => {
    const text = (language: Language): string => (TEXTS[language][section] as Record<string, string>)[code] ?? english;
    const texts = Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Texts;
    return [code, { ...texts, fr: french(texts.fr) }];
  });

/** French has a space before a colon and its like at which no line may break; in the sources it is an ordinary one. */
const french = (text: string): string =>
  text
    .replace(/ (?=[:»])/g, '\u00a0')
    .replace(/« /g, '«\u00a0')
    .replace(/ (?=[;!?])/g, '\u202f');

const rows = new Map<string, MessageRow>([...textsOf('errors'), ...textsOf('entries')]);

/**
 * Adds rows to the catalogue. Throws at load when a code has a row already: two meanings of a code cannot be told
 * apart.
 */
export function messages<const Rows extends Readonly<Record<string, MessageRow>>>(added: Rows): Rows {
  for (const [code, row] of Object.entries(added)) {
    if (rows.has(code))
      throw new Error(
        `The message ${code} is defined twice: give one of them another code (src/messages, or messages.ts of src/api/areas/<area>).`,
      );
    rows.set(code, { ...row, fr: french(row.fr) });
  }
  return added;
}

/** Gives codes their HTTP statuses. Throws at load when a code has one already: it would mean two things. */
export function statuses(added: Statuses): void {
  for (const [code, status] of Object.entries(added)) {
    const row = rows.get(code)!;
    if (row.status !== undefined)
      throw new Error(`The error ${code} has the status ${row.status} already: give one of the two another code.`);
    rows.set(code, { ...row, status });
  }
}

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
