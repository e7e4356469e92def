/** Wires erasure: for the service, and for operators at the command line. */
import { randomUUID } from 'node:crypto';
import { createIdempotency } from '../../api/core/idempotency.js';
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import { createErasing, erasedKeys, type Erasing, type Forget } from '../../commands/privacy/erasing.js';
import { createErasureSubjects, type ErasureSubjects } from '../../commands/privacy/subjects.js';
import { startRepair, type Repair } from '../../commands/core/repair.js';
import { accountStream } from '../../events/accounts/events.js';
import { proposalSubject } from '../../events/approvals/events.js';
import { START } from '../../events/core/log.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import type { Engines } from '../../engines/open.js';
import { createLogins } from '../../engines/postgres/logins.js';
import { forgetWebhookAnswers } from '../../engines/postgres/webhook-history.js';
import { createEndAccess } from '../../engines/postgres/end-access.js';
import { standings } from '../../projections/core/checkpoints.js';
import { createErasureQueries, type ErasureQueries } from '../../projections/privacy/queries.js';
import { erasures } from '../../projections/privacy/read-model.js';

export interface ErasureOptions extends Parts<'types' | 'progress' | 'directory'> {
  /** First parts of streams that are subjects by their names. */
  readonly own: readonly string[];
  readonly engines: Engines;
  readonly commands: Commands;
  /** Of areas that keep opened text in tables of theirs. */
  readonly forgetters?: readonly Forget[];
}

export interface Erasure {
  readonly subjects: ErasureSubjects;
  readonly erasing: Erasing;
  readonly queries: ErasureQueries;
}

export function createErasure({
  engines,
  commands,
  progress,
  directory,
  types,
  own,
  forgetters = [],
}: ErasureOptions): Erasure {
  const { log, pool, keyRing } = engines;
  const queries = createErasureQueries({ pool, log, progress });
  const subjects = createErasureSubjects({
    log,
    types,
    own,
    directory,
    ordersOf: (subject, business) => ofCustomer(queries.ordersOf, subject, business),
    belongingsOf: (subject, business) => ofCustomer(queries.addressesOf, subject, business),
  });
  const erasing = createErasing({
    handle: commands.privacy,
    log,
    related: subjects.related,
    destroy: keyRing.destroy,
    capturesOf: queries.capturesOf,
    proposalsAbout: async (...about) => (await queries.proposalsAbout(...about)).map(proposalSubject),
    owed: queries.owed,
    forgetters: [
      (keys, { business }) => forgetSecrets(engines, keys, business === undefined ? undefined : Number(business)),
      shutAccounts(commands),
      forgetEchoes(engines),
      ...forgetters,
    ],
  });
  return { subjects, erasing, queries };
}

/** A customer's orders and addresses are about that person: they go with the account. */
async function* ofCustomer<T>(
  of: (userId: number, business: number) => AsyncIterable<readonly T[]>,
  subject: string,
  business: number,
): AsyncIterable<readonly T[]> {
  for (const userId of usersIn([subject])) yield* of(userId, business);
}

/** Users among the subjects of keys. */
const usersIn = (keys: readonly string[]): number[] =>
  keys.flatMap((key) => {
    const id = /^account-(\d+)$/.exec(key)?.[1];
    return id === undefined ? [] : [Number(id)];
  });

/**
 * Nobody signs in as somebody who is erased: sessions and keys end, the address is free again. Kept answers, which may
 * speak of anybody, go too.
 */
async function forgetSecrets(
  {
    pool,
    emailIndex,
    vault,
    oauthVault,
    limits,
  }: Pick<Engines, 'pool' | 'emailIndex' | 'vault' | 'oauthVault' | 'limits'>,
  keys: readonly string[],
  business?: number,
): Promise<void> {
  const logins = createLogins(pool, emailIndex);
  const endAccess = createEndAccess({ pool, oauthVault });
  for (const userId of usersIn(keys)) {
    await endAccess(userId, { keys: true });
    await logins.forget(userId);
  }
  await createIdempotency(pool, vault, limits).forget(business);
}

/** What the business's webhook endpoints answered. */
function forgetEchoes({ pool }: Engines): Forget {
  return async (_keys, { business }) =>
    business === undefined ? undefined : forgetWebhookAnswers(pool, Number(business));
}

/** A command of its own each time: somebody may have enabled the account between two erasures. Shut twice is shut. */
function shutAccounts({ accounts }: Commands): Forget {
  return async (keys, cause) => {
    for (const userId of usersIn(keys))
      await accounts(accountStream(userId), { do: 'disable', commandId: randomUUID(), userId }, cause);
  };
}

/**
 * Before anybody reads: a restore may have brought keys back. Where the read model of erasures is not there yet the log
 * itself decides, later its sweep.
 */
export async function eraseAgain(engines: Engines, { erasing }: Pick<Erasure, 'erasing'>): Promise<void> {
  const standing = (await standings(engines.projectionPool)).find(({ name }) => name === erasures.name);
  if ((standing?.position ?? START) === START) await destroyErased(engines);
  else await erasing.sweep();
}

/**
 * Destroys every key that the log says is destroyed, and what a restore may have brought back with it; returns how many
 * keys these are.
 */
export async function destroyErased(
  engines: Engines,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const keys = await erasedKeys(engines.log, signal);
  if (keys.length === 0) return 0;
  await engines.keyRing.destroy(keys);
  await forgetSecrets(engines, keys);
  await forgetWebhookAnswers(engines.pool);
  return keys.length;
}

const AT_ONCE = 100;

/**
 * Goes on with what a crash left undone, and looks for keys that should not be there: of captures that came later, for
 * one.
 */
export function startErasing(
  { erasing, queries }: Erasure,
  {
    now,
    limits,
    onError,
  }: {
    readonly now: () => number;
    readonly limits: TimeLimits;
    readonly onError: (error: unknown, subject?: string) => void;
  },
): Repair {
  let swept = now();
  return startRepair({
    now,
    limits,
    onError,
    async unfinished(millis) {
      if (now() - swept >= limits.erasureSweepMs) {
        await erasing.sweep();
        swept = now();
      }
      return queries.unfinished(new Date(millis).toISOString(), AT_ONCE);
    },
    finish: async (subject) => void (await erasing.finish(subject)),
  });
}
