/** Encrypts the personal data of deliveries: addresses and responses, each bound to its record. */
import type { Vault } from '../vault.js';

export const targetContext = (id: string) => `webhook target ${id}`;
export const answerContext = (id: string, attempt: number) => `webhook answer ${id} ${attempt}`;

export class WebhookSeals {
  constructor(private readonly vault: Vault) {}

  seal(text: string, context: string): Buffer {
    return this.vault.seal(Buffer.from(text), context);
  }

  /** Undefined for null. */
  open(box: Buffer | null, context: string): string | undefined {
    return box === null ? undefined : this.vault.open(box, context).toString();
  }
}
