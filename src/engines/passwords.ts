/**
 * Hashes passwords with argon2id. Each hash uses a core for some 30 ms, so only a few run at a time. Calls that would
 * wait too long are rejected: a flood of sign-ins delays only sign-ins.
 */
import { hash, verify } from '@node-rs/argon2';

/** The first recommendation of OWASP for argon2id (the library's default type): 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Fewer than the four threads that the process has for such work. */
const AT_ONCE = 2;
/** About half a second of work. */
const MAX_WAITING = 32;

/** The queue of password checks is full. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

let working = 0;
const waiting: (() => void)[] = [];

let activeChecks = 0;

/**
 * Limits the work to check a password, including the database query before it. At most `AT_ONCE + MAX_WAITING` calls
 * run at the same time, so that a flood of sign-ins does not block other database queries. Throws `PasswordsBusy`.
 */
export async function limitConcurrentChecks<T>(work: () => Promise<T>): Promise<T> {
  if (activeChecks >= AT_ONCE + MAX_WAITING) throw busy();
  activeChecks++;
  try {
    return await work();
  } finally {
    activeChecks--;
  }
}

const busy = (): PasswordsBusy => new PasswordsBusy('Too many concurrent sign-ins.');

async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw busy();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else working++;
  try {
    return await work();
  } finally {
    // The slot passes to the next caller, or becomes free.
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}

/** Throws `PasswordsBusy`. */
export const hashPassword = (password: string): Promise<string> => runQueued(() => hash(password, ARGON2));

/** Throws `PasswordsBusy`. */
export const isPassword = (hashed: string, password: string): Promise<boolean> =>
  runQueued(() => verify(hashed, password));

let dummyHash: Promise<string> | undefined;

/** Takes as long as the check of an existing user's password. Throws `PasswordsBusy`. */
export async function checkDummyPassword(password: string): Promise<false> {
  dummyHash ??= hash('nobody has this password', ARGON2);
  await isPassword(await dummyHash, password);
  return false;
}
