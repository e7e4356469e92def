/** Connects erasure to its parts, for the service and for the command line. */
import { randomUUID } from 'node:crypto';
import { createIdempotency } from '../../api/core/idempotency.js';
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import { createErasing, erasedKeys, type Erasing, type Forget } from '../../commands/privacy/erasing.js';
import { createErasureSubjects, type ErasureSubjects } from '../../commands/privacy/subjects.js';
import { startRepair, type Repair } from '../../commands/core/repair.js';
import { accountIdsIn, accountStream } from '../../events/accounts/events.js';
import { proposalSubject } from '../../events/approvals/events.js';
import { START, type Position } from '../../events/core/log.js';
import type { TimeLimits } from '../../events/core/time-limits.js';
import type { Engines } from '../../engines/open.js';
import { createLogins } from '../../engines/postgres/logins.js';
import { forgetWebhookAnswers } from '../../engines/postgres/webhook-history.js';
import { createEndAccess } from '../../engines/postgres/end-access.js';
import { checkpoints } from '../../projections/core/checkpoints.js';
import { createErasureQueries, type ErasureQueries } from '../../projections/privacy/queries.js';
import { erasures } from '../../projections/privacy/read-model.js';
import { createRevivedKeyQueries } from '../../projections/privacy/revived-keys.js';

export interface ErasureOptions extends Parts<'types' | 'progress' | 'directory'> {
  /** Prefixes of the streams whose names are subjects of erasure. */
  readonly subjectPrefixes: readonly string[];
  readonly engines: Engines;
  readonly commands: Commands;
  /** Functions of areas that store decrypted text in their tables. */
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
  subjectPrefixes,
  forgetters = [],
}: ErasureOptions): Erasure {
  const { log, pool, keyRing } = engines;
  const queries = createErasureQueries({ pool, log, progress });
  const subjects = createErasureSubjects({
    log,
    types,
    own: subjectPrefixes,
    directory,
    ordersOf: (subject, business) => dataOfCustomer(queries.ordersOf, subject, business),
    belongingsOf: (subject, business) => dataOfCustomer(queries.addressesOf, subject, business),
  });
  const erasing = createErasing({
    handle: commands.privacy,
    log,
    related: subjects.related,
    destroy: keyRing.destroy,
    capturesOf: queries.capturesOf,
    proposalsAbout: async (...about) => (await queries.proposalsAbout(...about)).map(proposalSubject),
    revived: createRevivedKeyQueries(pool),
    forgetters: [
      (keys, { business }) => forgetSecrets(engines, keys, business === undefined ? undefined : Number(business)),
      disableAccounts(commands),
      forgetWebhookResponses(engines),
      ...forgetters,
    ],
  });
  return { subjects, erasing, queries };
}

/** Orders and addresses of a customer are personal data of that customer. They are erased together with the account. */
async function* dataOfCustomer<T>(
  query: (userId: number, business: number) => AsyncIterable<readonly T[]>,
  subject: string,
  business: number,
): AsyncIterable<readonly T[]> {
  for (const userId of accountIdsIn([subject])) yield* query(userId, business);
}

/**
 * Ends the sessions and keys of erased users, and makes their email addresses available again. Also deletes stored
 * idempotent responses, because these may contain personal data of any user.
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
  for (const userId of accountIdsIn(keys)) {
    await endAccess(userId, { keys: true });
    await logins.forget(userId);
  }
  await createIdempotency(pool, vault, limits).forget(business);
}

/** Deletes the stored responses of the business's webhook endpoints. */
function forgetWebhookResponses({ pool }: Engines): Forget {
  return async (_keys, { business }) =>
    business === undefined ? undefined : forgetWebhookAnswers(pool, Number(business));
}

/**
 * Disables the accounts of erased users. Each call uses a new command id, because an account may have been enabled
 * between two erasures. Repeating the command has no effect.
 */
function disableAccounts({ accounts }: Commands): Forget {
  return async (keys, cause) => {
    for (const userId of accountIdsIn(keys))
      await accounts(accountStream(userId), { do: 'disable', commandId: randomUUID(), userId }, cause);
  };
}

/**
 * Destroys erased keys again before the service accepts requests, because a restore may have brought them back. First
 * the keys of erasures in the log that the read model does not contain yet, then the keys of erasures in the read
 * model, with all keys of interrupted erasures. Both are nothing at an ordinary start. Their search does not depend on
 * the number of complete erasures.
 */
export async function repeatErasures(engines: Engines, { erasing }: Pick<Erasure, 'erasing'>): Promise<void> {
  const checkpoint = (await checkpoints(engines.projectionPool)).find(({ name }) => name === erasures.name);
  await destroyErased(engines, { after: checkpoint?.position ?? START });
  await erasing.sweep();
}

/**
 * Destroys every key again that the log records as destroyed after a position, and the data that a restore may have
 * brought back with it. Returns the number of these keys.
 */
export async function destroyErased(
  engines: Engines,
  { after = START, signal = new AbortController().signal }: { after?: Position; signal?: AbortSignal } = {},
): Promise<number> {
  let count = 0;
  for await (const keys of erasedKeys(engines.log, { after, signal })) {
    await engines.keyRing.destroy(keys);
    await forgetSecrets(engines, keys);
    count += keys.length;
  }
  if (count > 0) await forgetWebhookAnswers(engines.pool);
  return count;
}

const BATCH_SIZE = 100;

/** Resumes erasures that a crash interrupted, and destroys erased keys that exist again. */
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
  let lastSweepAt = now();
  return startRepair({
    now,
    limits,
    onError,
    async unfinished(millis) {
      if (now() - lastSweepAt >= limits.erasureSweepMs) {
        await erasing.sweep();
        lastSweepAt = now();
      }
      return queries.unfinished(new Date(millis).toISOString(), BATCH_SIZE);
    },
    finish: async (subject) => void (await erasing.finish(subject)),
  });
}
