/** The credentials of a carrier account: a JSON object, stored as one encrypted text. */
import { undefinedIfTampered, type Credentials, type ShownCredential } from '../../../engines/postgres/credentials.js';
import type { CarrierAccount } from '../../../projections/carrier-accounts/queries.js';

export type Secret = Readonly<Record<string, unknown>>;
type Owner = Pick<CarrierAccount, 'business' | 'credential_id'>;

/** The end of a shorter text would reveal too much of it. */
const MIN_SHOWN_LENGTH = 12;

export function createCarrierSecrets(credentials: Pick<Credentials, 'add' | 'remove' | 'secretOf'>) {
  /** Undefined: the account has none, it was destroyed, or the stored text was tampered with. */
  async function read({ business, credential_id }: Owner): Promise<Secret | undefined> {
    const text =
      credential_id === undefined
        ? undefined
        : await credentials.secretOf(credential_id, business).catch(undefinedIfTampered);
    return text === undefined ? undefined : (JSON.parse(text) as Secret);
  }

  return {
    read,
    /** The first text is the key of the account at the carrier. */
    async shown(account: Owner): Promise<ShownCredential> {
      const secret = await read(account);
      if (!secret) return { set: false, last4: null };
      const first = Object.values(secret).find((value) => typeof value === 'string');
      return { set: true, last4: first && first.length >= MIN_SHOWN_LENGTH ? first.slice(-4) : null };
    },
    /** Durable when it resolves. */
    store: (
      id: string,
      { business, adapter }: { readonly business: number; readonly adapter: string },
      secret: Secret,
    ) => credentials.add({ id, business, kind: `carrier_${adapter}`, secret: JSON.stringify(secret) }),
    /** Destroys the credential after a day, for calls that began before. */
    destroy: (id: string, business: number) => credentials.remove(id, business),
  };
}
export type CarrierSecrets = ReturnType<typeof createCarrierSecrets>;
