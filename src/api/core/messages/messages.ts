/**
 * The messages of the API: a code, its HTTP status, and its text in each language. The texts are in src/messages, one
 * file per language. An area defines the statuses of its codes in `errors` of its registration.
 *
 * An area may also define complete rows in a separate file, as `messages` of its registration:
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
  /** HTTP status of the error. Absent: the code occurs only inside responses (fields, entries of lists). */
  readonly status?: number;
}

/** Codes and statuses of rows, for the declaration of `MessageCodes`. */
export type CodesOf<Rows> = {
  readonly [Code in keyof Rows]: Rows[Code] extends { readonly status: infer Status } ? Status : undefined;
};

/** Codes of complete rows, with their statuses. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface MessageCodes {}

/**
 * A code of a response as a whole. If a code does not compile, it has no text yet: add it to `errors` of
 * src/messages/en.json and of the other languages, and add its status to `errors` of its area (src/areas/<area>.ts).
 */
export type ErrorCode =
  | ErrorText
  | { [Code in keyof MessageCodes & string]: MessageCodes[Code] extends number ? Code : never }[keyof MessageCodes &
      string];
/** A code that has a text. */
export type MessageCode = ErrorCode | EntryText | (keyof MessageCodes & string);

/** HTTP statuses of errors whose texts are in src/messages. */
export type Statuses = Readonly<Partial<Record<ErrorText, number>>>;

/** The text in each language; English if a file lacks it. */
const textsOf = (section: 'errors' | 'entries'): [code: string, row: MessageRow][] =>
  Object.entries(TEXTS.en[section]).map(([code, english]) => {
    const text = (language: Language): string => (TEXTS[language][section] as Record<string, string>)[code] ?? english;
    const texts = Object.fromEntries(LANGUAGES.map((language) => [language, text(language)])) as Texts;
    return [code, { ...texts, fr: french(texts.fr) }];
  });

/** French requires a no-break space before colons and similar characters; the sources contain ordinary spaces. */
export const french = (text: string): string =>
  text
    .replace(/ (?=[:»])/g, '\u00a0')
    .replace(/« /g, '«\u00a0')
    .replace(/ (?=[;!?])/g, '\u202f');

const rows = new Map<string, MessageRow>([...textsOf('errors'), ...textsOf('entries')]);

/** Adds rows to the catalogue. Throws at load if a code already has a row: a code must have only one meaning. */
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

/** Sets the HTTP statuses of codes. Throws at load if a code already has one: a code must have only one meaning. */
export function statuses(added: Statuses): void {
  for (const [code, status] of Object.entries(added)) {
    const row = rows.get(code)!;
    if (row.status !== undefined)
      throw new Error(`The error ${code} already has the status ${row.status}: give one of the two another code.`);
    rows.set(code, { ...row, status });
  }
}

/** The text of `code` in `language` with its parameters filled in; the bare code if no loaded area defines it. */
export const translate = (code: MessageCode, params: Params | undefined, language: Language): string =>
  fill(rows.get(code)?.[language] ?? code, params);

/** HTTP status of an error; 500 for a code that no loaded area defines. */
export const statusOf = (code: ErrorCode): number => rows.get(code)?.status ?? 500;

export const isErrorCode = (code: string): code is ErrorCode => rows.get(code)?.status !== undefined;

/** The codes of responses as a whole, in the order of the areas. */
export const errorCodes = (): ErrorCode[] => [...rows.keys()].filter(isErrorCode);

/** Every code with its row, in the order of the areas. */
export const allMessages = (): ReadonlyMap<MessageCode, MessageRow> => rows as ReadonlyMap<MessageCode, MessageRow>;

declare module '../../../commands/core/domain-error.js' {
  interface RefusalCodes extends Readonly<Record<ErrorCode, true>> {}
}
