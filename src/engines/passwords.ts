/**
 * Hashes passwords with argon2id. Each hash uses a core for some 30 ms, so only a few run at a time: alternating
 * between sites, within a site between networks, and within a network between accounts. Calls that would wait too long
 * are rejected: a flood of sign-ins delays only sign-ins, and mostly sign-ins of the same site.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createFairTurns, TurnRefused, type FairTurns } from './fair-turns.js';
import { networkOf, siteOf } from './network-of.js';

/** The first recommendation of OWASP for argon2id (the library's default type): 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Fewer than the cores, which other requests need, and than the four threads that the process has for such work. */
const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Includes the database queries of a check. About half a second of work waits. */
const CHECKS = { atOnce: 4, maxWaiting: 32, maxWaitingPerClient: 4 } as const;
/** Checks of one network, and of one site. Other sites find room whatever waits here. */
const OF_ONE = { atOnce: 4, maxWaiting: 28, maxWaitingPerClient: 4 } as const;

/** The queue of password checks is full. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

const ofSites = createFairTurns(CHECKS);
const hashing = createFairTurns({ ...CHECKS, atOnce: HASHES_AT_ONCE, maxWaitingPerClient: CHECKS.maxWaiting });
const inSite = createQueues();
const inNetwork = createQueues();

/** One queue per key. It exists as long as it has calls. */
function createQueues() {
  const queues = new Map<string, { readonly turns: FairTurns; active: number }>();
  return async <T>(key: string, client: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { turns: createFairTurns(OF_ONE), active: 0 };
    queues.set(key, queue);
    queue.active++;
    try {
      return await queue.turns(client, work);
    } finally {
      if (--queue.active === 0) queues.delete(key);
    }
  };
}

/**
 * Runs a check of a password, including its database queries, or the hashing of a new password, in alternation between
 * clients. `from`: the address of the caller. `account`: the account whose password it is. Throws `PasswordsBusy`.
 */
export async function inPasswordTurn<T>(from: string, account: string, work: () => Promise<T>): Promise<T> {
  const network = networkOf(from);
  const site = siteOf(from);
  try {
    return await inNetwork(network, account, () => inSite(site, network, () => ofSites(site, work)));
  } catch (error) {
    throw error instanceof TurnRefused ? new PasswordsBusy('Too many concurrent sign-ins.') : error;
  }
}

/** Call the following functions in a turn. */
export const hashPassword = (password: string): Promise<string> => hashing('', () => hash(password, ARGON2));

export const isPassword = (hashed: string, password: string): Promise<boolean> =>
  hashing('', () => verify(hashed, password));

let dummyHash: Promise<string> | undefined;

/** Takes as long as the check of an existing user's password. */
export async function checkDummyPassword(password: string): Promise<false> {
  dummyHash ??= hash('nobody has this password', ARGON2);
  await isPassword(await dummyHash, password);
  return false;
}
