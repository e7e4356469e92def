/** What the operator can mend: the message says what is wrong and what to do, so nobody needs a stack. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
