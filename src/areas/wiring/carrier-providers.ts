/**
 * The provider of each carrier account, as which the service writes the scans of the carrier. It is registered with the
 * status mapping of the adapter before the first scan. Afterwards its table is changed like that of other providers.
 */
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import type { Cause } from '../../commands/core/handle.js';
import { carrierProvider } from '../../commands/labels/following.js';
import type { CarrierAdapter } from '../../engines/outside/carriers/port.js';
import { derivedId } from '../../events/otep/identity.js';
import { providerStream, type StatusMapping } from '../../events/providers/events.js';
import type { CarrierAccount } from '../../projections/carrier-accounts/queries.js';
import type { ProviderHead, ProviderQueries } from '../../projections/providers/queries.js';
import type { CarrierProvider } from './carrier-events.js';

/** Maximum wait for the read model, in milliseconds. */
const WAIT_MS = 10_000;

type Account = Pick<CarrierAccount, 'id' | 'business' | 'adapter'>;

export interface CarrierProvidersOptions extends Parts<'progress'> {
  readonly handle: Commands['providers'];
  readonly queries: Pick<ProviderQueries, 'byId' | 'mapping'>;
}

export type CarrierProviders = ReturnType<typeof createCarrierProviders>;

export function createCarrierProviders({ handle, queries, progress }: CarrierProvidersOptions) {
  /** Repetitions change nothing, also after the table was changed. */
  async function register(id: string, adapter: CarrierAdapter, business: number) {
    const cause: Cause = {
      correlationId: derivedId('carrier provider', id),
      actor: { kind: 'system', id: 'labels' },
      channel: 'system',
      business: String(business),
    };
    const registered = await handle(
      providerStream(id),
      {
        do: 'register',
        commandId: derivedId('carrier provider', id),
        name: adapter.name,
        kind: 'carrier',
        may_open: false,
      },
      cause,
    );
    const mapped = await handle(
      providerStream(id),
      { do: 'map', commandId: derivedId('carrier mapping', id), mapping: tableOf(adapter) },
      cause,
    );
    const position = mapped.position ?? registered.position;
    if (position !== undefined && !(await progress.waitFor('providers', position, WAIT_MS)))
      throw new Error(`The read model of providers has not reached position ${position} in time.`);
    return queries.byId(id);
  }

  const idOf = ({ id, adapter }: Account): string => carrierProvider({ adapter, account_id: id });

  /** Undefined: the provider does not have the table of the adapter yet. */
  async function seeded(id: string, adapter: CarrierAdapter): Promise<ProviderHead | undefined> {
    const head = await queries.byId(id);
    // Revision 0: a process ended between registration and mapping.
    return head && (head.revision > 0 || adapter.statusMapping.length === 0) ? head : undefined;
  }

  return {
    idOf,

    /** The provider of an account, which is registered if necessary, and its tables. */
    async of(account: Account, adapter: CarrierAdapter): Promise<CarrierProvider> {
      const id = idOf(account);
      const head = (await seeded(id, adapter)) ?? (await register(id, adapter, account.business));
      if (!head) throw new Error(`The provider ${id} is not in its read model.`);
      return { id, mapping: await queries.mapping(head), carrierCodes: head.carrier_codes };
    },

    /** The rows of its table, without registering it. */
    async mappingOf(account: Account, adapter: CarrierAdapter): Promise<StatusMapping> {
      const head = await seeded(idOf(account), adapter);
      return head ? [...(await queries.mapping(head)).values()] : tableOf(adapter);
    },
  };
}

const tableOf = ({ statusMapping }: CarrierAdapter): StatusMapping =>
  statusMapping.map(({ raw, code }) => ({ raw, status_code: code }));
