/**
 * Hashes passwords with argon2id. Each hash uses a core for some 30 ms, so only a few run at a time, in turn by network
 * and within a network in turn by account. Calls that would wait too long are rejected: a flood of sign-ins delays only
 * sign-ins, and mostly those of the same network.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createFairTurns, TurnRefused, type FairTurns } from './fair-turns.js';
import { networkOf } from './network-of.js';

/** The first recommendation of OWASP for argon2id (the library's default type): 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Fewer than the cores, which other requests need, and than the four threads that the process has for such work. */
const HASHES_AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Includes the database queries of a check. About half a second of work waits. */
const CHECKS = { atOnce: 4, maxWaiting: 32, maxWaitingPerClient: 4 } as const;
/** Checks of one network. Other networks find room whatever waits here. */
const OF_NETWORK = { atOnce: 4, maxWaiting: 28, maxWaitingPerClient: 4 } as const;

/** The queue of password checks is full. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy';
}

const ofNetworks = createFairTurns(CHECKS);
const hashing = createFairTurns({ ...CHECKS, atOnce: HASHES_AT_ONCE, maxWaitingPerClient: CHECKS.maxWaiting });
const networks = new Map<string, { readonly ofAccounts: FairTurns; active: number }>();

/**
 * Runs a check of a password, including its database queries, or the hashing of a new one, in turn. `from`: the address
 * of the caller. `account`: the account whose password it is. Throws `PasswordsBusy`.
 */
export async function inPasswordTurn<T>(from: string, account: string, work: () => Promise<T>): Promise<T> {
  const network = networkOf(from);
  const entry = networks.get(network) ?? { ofAccounts: createFairTurns(OF_NETWORK), active: 0 };
  networks.set(network, entry);
  entry.active++;
  try {
    return await entry.ofAccounts(account, () => ofNetworks(network, work));
  } catch (error) {
    throw error instanceof TurnRefused ? new PasswordsBusy('Too many concurrent sign-ins.') : error;
  } finally {
    if (--entry.active === 0) networks.delete(network);
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
