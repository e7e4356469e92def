/** Chooses the parcels of the members of a network among those that a number identifies (rule N8 of the protocol). */
import { networkNumberIn, type Network, type NetworkNumber } from '../../events/otep/networks.js';
import { openIdentifiers } from './naming.js';
import type { Candidate, Named } from './rank.js';

export interface NetworkChoice<P> {
  /** The parcel that the number means; with `network` one of its parcels. */
  readonly named: P;
  /** Present if several members have the number: all their parcels. */
  readonly network?: { readonly number: NetworkNumber; readonly parcels: readonly P[] };
}

export interface NetworkChoiceOptions<P> {
  /** The networks of providers, by id. */
  readonly networksOf: (providers: readonly string[]) => Promise<ReadonlyMap<string, Network>>;
  /** The parcel that holds the number among at least one (rule N6). */
  readonly holder: (parcels: readonly P[]) => Promise<P>;
}

/**
 * `parcels`: at least one, by rules N5 and N6. If members of the number's network have it, other providers do not count:
 * a stranger never changes the timeline of a network.
 */
export async function chooseNetwork<P extends Pick<Named<Candidate>, 'owner' | 'number'>>(
  number: string,
  parcels: readonly P[],
  { networksOf, holder }: NetworkChoiceOptions<P>,
): Promise<NetworkChoice<P>> {
  const first = parcels[0]!;
  const shared = parcels.length < 2 ? undefined : networkNumberIn(number);
  if (!shared || (first.owner.kind === 'business' && openIdentifiers(number).includes(first.number)))
    return { named: first };
  const providers = parcels.filter(({ owner }) => owner.kind === 'provider');
  const networks = await networksOf([...new Set(providers.map(({ owner }) => owner.id))]);
  const members = providers.filter(({ owner }) => networks.get(owner.id) === shared.network);
  if (members.length === 0) return { named: first };
  const named = await holder(parcels.filter((one) => one.owner.kind === 'business' || members.includes(one)));
  const isMerged = named.owner.kind === 'provider' && members.some(({ owner }) => owner.id !== named.owner.id);
  return { named, ...(isMerged && { network: { number: shared, parcels: members } }) };
}
