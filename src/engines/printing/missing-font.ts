/** No font of the service contains some characters of a text, so the text cannot be printed completely. */
export class MissingFont extends Error {
  override readonly name = 'MissingFont';
  /** The code of the API's error. */
  readonly code = 'NO_FONT';

  /** `characters`: at most 20 of the characters, for the message to a person. */
  constructor(readonly characters: readonly string[]) {
    super(`No font contains ${characters.length} characters of the text.`);
  }
}
