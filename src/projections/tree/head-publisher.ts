/**
 * Publishes heads of the log's tree. If events are rare, it publishes shortly after an event. Under constant load, it
 * publishes at most every ten seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createHash } from 'node:crypto';
import { createSigner, isName, publicKeyOf } from '../../events/tree/signed-note.js';
import { latestHead, originOf, publishHead, type PublishedHead, type PublishOptions } from './heads.js';
import { treeSize } from './tree-proofs.js';

const CHECK_INTERVAL_MS = 1_000;
/** Maximum interval between heads while events arrive continuously. */
const MAX_INTERVAL_MS = 10_000;
/** Pause after an error. */
const RETRY_MS = 10_000;

export interface HeadPublisherOptions {
  readonly pool: Pool;
  readonly signing: SigningOptions;
  readonly onPublished: (head: PublishedHead) => void;
  /** Also called with every `HeadContradicted`, which means that the log differs from its published heads. */
  readonly onError: (error: unknown) => void;
}

export interface SigningOptions {
  /** Ed25519 private key, 32 bytes. */
  readonly key: Buffer;
  /** Public URL without a trailing slash. It becomes the name of the log if the log has no name yet. */
  readonly baseUrl: string | undefined;
}

/** Returns the log's name and the signer of its heads. The name never changes after its first use. */
export async function openSigning(pool: Pool, { key, baseUrl }: SigningOptions): Promise<PublishOptions> {
  const address = baseUrl === undefined ? undefined : `${baseUrl.replace(/^https?:\/\//, '')}/api/v1/audit/log`;
  const proposed =
    address !== undefined && isName(address)
      ? address
      : `open-transport/${createHash('sha256').update(publicKeyOf(key)).digest('hex').slice(0, 16)}`;
  const origin = await originOf(pool, proposed);
  return { origin, signer: createSigner(origin, key) };
}

/** Any number of processes may run it: there is only one head per size, and each head contains the previous one. */
export function startHeadPublisher({ pool, signing, onPublished, onError }: HeadPublisherOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = keepPublishing();

  async function keepPublishing(): Promise<void> {
    let publish: PublishOptions | undefined;
    let seen = 0;
    while (!signal.aborted) {
      let pause = CHECK_INTERVAL_MS;
      try {
        publish ??= await openSigning(pool, signing);
        const size = await treeSize(pool);
        const last = await latestHead(pool);
        const due =
          size > (last?.size ?? 0) &&
          (size === seen || Date.now() - (last?.publishedAt.getTime() ?? 0) >= MAX_INTERVAL_MS);
        seen = size;
        const head = due ? await publishHead(pool, publish) : undefined;
        if (head) onPublished(head);
      } catch (error) {
        onError(error);
        pause = RETRY_MS;
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
