/** Members that a PATCH clears with `null` (RFC 7396). Events store an empty text for them. */
import type { z } from 'zod';

/** A text that `null` clears. */
export const clearable = <Text extends z.ZodType<string>>(text: Text) =>
  text
    .nullable()
    .optional()
    .describe(`${text.description ?? ''} Null clears this field.`.trim());

/** Replaces `null` by an empty text in these members. */
export function emptied<Input extends object, Member extends keyof Input>(
  input: Input,
  ...members: readonly Member[]
): Omit<Input, Member> & { [M in Member]: Exclude<Input[M], null> } {
  const empty = members.filter((member) => input[member] === null).map((member) => [member, '']);
  return Object.assign({}, input, Object.fromEntries(empty)) as never;
}
