/** Viewable proofs of delivery: photos and signatures with an address, for readers who may see them. */
import type { TimelineEvent } from '../../events/otep/model.js';

export interface DeliveryProof {
  readonly type: string;
  readonly url: string;
}

/** Returns the proofs of the deliveries among the events, oldest first. */
export const deliveryProofs = (events: readonly TimelineEvent[]): DeliveryProof[] =>
  events.flatMap(({ proof, status_code }) =>
    status_code === 'delivered' && proof?.url !== undefined ? [{ type: proof.kind, url: proof.url }] : [],
  );

/** Appends a line for each proof to a text: `photo: https://...`. */
export const withProofs = (text: string, proofs: readonly DeliveryProof[]): string =>
  [text, ...proofs.map(({ type, url }) => `${type}: ${url}`)].join('\n');
