/** Ids of effects. They are also the idempotency keys that external systems receive. */
import { derivedId } from '../otep/identity.js';

export interface EffectKey {
  readonly stream: string;
  /** Kind of the effect. */
  readonly kind: string;
  /** The subject within the stream, such as the id of a package. */
  readonly about: string;
  /** From 1. */
  readonly attempt: number;
}

export const effectIdFor = ({ stream, kind, about, attempt }: EffectKey): string =>
  derivedId('effect', stream, kind, about, attempt);
