/**
 * Follows the log, and credits confirmed top-ups to the wallets. The confirmation itself does this directly, so the
 * follower finds work only after a crash.
 */
import { DomainError } from '../../commands/core/domain-error.js';
import type { CreditTopUp } from '../../commands/wallet/crediting.js';
import { BankTransferConfirmed, TOP_UP_PREFIX } from '../../events/wallet/top-ups.js';
import type { Engines } from '../../engines/open.js';
import { startFollower, type Follower } from '../../projections/core/follower.js';
import type { Parts } from '../../api/core/parts.js';

export const TOP_UP_CREDITS = { name: 'top_up_credits', version: 1, prefixes: [TOP_UP_PREFIX] } as const;

export interface TopUpCreditsOptions extends Parts<'progress' | 'logger'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder'>;
  readonly credit: CreditTopUp;
}

export function startTopUpCredits({
  engines: { log, projectionPool: pool, holder: owner },
  credit,
  progress,
  logger,
}: TopUpCreditsOptions): Follower {
  return startFollower({
    reader: TOP_UP_CREDITS,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'confirmed top-ups are not credited yet, trying again'),
    async take({ events }) {
      for (const { type, stream } of events) if (type === BankTransferConfirmed.type) await creditUnlessRefused(stream);
    },
  });

  /** A wallet that refuses the credit must not delay the top-ups of others. Staff confirm again to credit it. */
  async function creditUnlessRefused(stream: string): Promise<void> {
    try {
      await credit(stream);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      logger.error({ stream, code: error.code }, 'the wallet refuses a confirmed top-up: confirm it again later');
    }
  }
}
