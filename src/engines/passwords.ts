/**
 * Passwords as argon2id. Each takes a core for some 30 ms, so few are at work at a time, and a caller that would wait
 * too long is told to come back: a flood of sign-ins holds up nobody but sign-ins.
 */
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id, which is the library's default kind: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Below the four threads that the process has for all such work. */
const AT_ONCE = 2;
/** About half a second of work. */
const MOST_WAITING = 32;

/** Too many passwords wait to be tried. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

let working = 0;
const waiting: (() => void)[] = [];

let trying = 0;

/**
 * Limits what is done to try a password, including the database look-up before it: no more at a time than passwords
 * wait, so that a flood does not block others there. Throws `PasswordsBusy`.
 */
export async function whileTrying<T>(work: () => Promise<T>): Promise<T> {
  if (trying >= AT_ONCE + MOST_WAITING) throw busy();
  trying++;
  try {
    return await work();
  } finally {
    trying--;
  }
}

const busy = (): PasswordsBusy => new PasswordsBusy('Too many sign-ins at once.');

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw busy();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else working++;
  try {
    return await work();
  } finally {
    // The turn goes to the next one, or back.
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}

/** Throws `PasswordsBusy`. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, ARGON2));

/** Throws `PasswordsBusy`. */
export const isPassword = (hashed: string, password: string): Promise<boolean> =>
  inTurn(() => verify(hashed, password));

let nobody: Promise<string> | undefined;

/** Takes as long as to try a password that somebody has. Throws `PasswordsBusy`. */
export async function isNobodysPassword(password: string): Promise<false> {
  nobody ??= hash('nobody has this password', ARGON2);
  await isPassword(await nobody, password);
  return false;
}
