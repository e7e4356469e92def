/**
 * Signing secrets of webhooks: at most two active ones per business, so that a receiver can change its secret without
 * interruption.
 */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export interface WebhookSecret {
  readonly secret: string;
  /** The signing key is the text itself, although it looks like base64: it was set before base64 was supported. */
  readonly asText: boolean;
  readonly setAt: Date;
  /** Undefined for the newest secret. */
  readonly until: Date | undefined;
}

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

export function createWebhookSecrets(pool: Pool, vault: Vault) {
  const context = (id: string) => `webhook secret ${id}`;

  const live = new DataLoader<number, readonly WebhookSecret[]>(
    async (businesses) => {
      const { rows } = await pool.query<{
        id: string;
        business: number;
        sealed: Buffer;
        created_at: Date;
        expires_at: Date | null;
        as_text: boolean;
      }>({
        name: 'webhook-secrets',
        text: 'select * from access.webhook_secrets where business = any ($1) and (expires_at is null or expires_at > now()) order by expires_at desc nulls first, created_at desc',
        values: [businesses],
      });
      return businesses.map((business) =>
        rows
          .filter((row) => row.business === business)
          .slice(0, 2)
          .map(({ id, sealed, created_at, expires_at, as_text }) => ({
            secret: vault.open(sealed, context(id)).toString(),
            asText: as_text,
            setAt: created_at,
            until: expires_at ?? undefined,
          })),
      );
    },
    { cache: false, batchScheduleFn: setImmediate },
  );

  return {
    /**
     * `id`: UUID; repeating it has no effect. The previous secret stays valid for `overlapHours`; older secrets
     * expire immediately.
     */
    async set(business: number, id: string, secret: string, overlapHours: number): Promise<void> {
      await pool.query(
        `with added as (insert into access.webhook_secrets (id, business, sealed) values ($1, $2, $3) on conflict do nothing returning id),
              ended as (delete from access.webhook_secrets where business = $2 and expires_at is not null and exists (select from added))
         update access.webhook_secrets set expires_at = now() + make_interval(secs => $4::double precision * 3600) where business = $2 and id <> $1 and expires_at is null and exists (select from added)`,
        [id, business, vault.seal(Buffer.from(secret), context(id)), overlapHours],
      );
    },
    /** Newest first; empty if no secret was set. */
    live: (business: number): Promise<readonly WebhookSecret[]> => live.load(business),
    /** Deletes expired secrets; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query('delete from access.webhook_secrets where expires_at < now()');
      return rowCount ?? 0;
    },
  };
}
