/** Finds the parcels that a number identifies, and chooses one for the caller (rules N5, N6 and N8 of the protocol). */
import type { CarrierMatch } from '../../../events/otep/model.js';
import type { NetworkNumber } from '../../../events/otep/networks.js';
import type { Owner } from '../../../events/trackings/events.js';
import { openIdentifiers } from '../../../projections/trackings/naming.js';
import {
  chooseNetwork,
  type NetworkChoice,
  type NetworkChoiceOptions,
} from '../../../projections/trackings/network-choice.js';
import type { NetworkLife } from '../../../projections/trackings/network-lives.js';
import type { TrackingHead, TrackingQueries } from '../../../projections/trackings/queries.js';
import { byOwnerAndNumber, type Named } from '../../../projections/trackings/rank.js';
import type { Caller } from '../../core/callers.js';
import type { Freshness } from './freshness.js';
import { isOwn, notFound, notOfCarrier, seesAll } from './visibility.js';

type Parcel = Named<TrackingHead>;

/** The parcels of the members of a network, whose scans are merged. */
export interface FoundNetwork {
  readonly number: NetworkNumber;
  /** Parcels of at least two members, each with the public name of its carrier, sorted by that name. */
  readonly parcels: readonly { readonly parcel: Parcel; readonly carrier: string }[];
}

export interface Found {
  /** The trackings of the parcel's number. With `network`: those of one of its parcels. */
  readonly named: Parcel;
  /** The carrier of these trackings: the id of a provider, or the code of the business that owns the order. */
  readonly carrier: string;
  /** All carriers whose parcels have the same number. */
  readonly names: readonly string[];
  /** The number that the caller asked for. Links use it, because another number may have other alternatives. */
  readonly number: string;
  /** The requested life of the number; undefined: the current one. */
  readonly life: number | undefined;
  /** Present if the timeline merges the scans of several carriers. */
  readonly network?: FoundNetwork;
}

/** What a caller asks for. `life`: 1 is the oldest. */
export interface Selection {
  readonly carrier?: string | undefined;
  readonly life?: number | undefined;
}

export interface ParcelFinderOptions extends Pick<NetworkChoiceOptions<Parcel>, 'networksOf'> {
  readonly queries: TrackingQueries;
  readonly freshness: Freshness;
  /** Public name of an owner. */
  readonly nameOf: (owner: Owner) => Promise<string>;
}

/**
 * Returns a function that finds the parcel with `number`: that of `carrier` if given, else the caller's own, else the
 * default for everyone. Throws TRACKING_NOT_FOUND.
 */
export function createParcelFinder({ queries, freshness, nameOf, networksOf }: ParcelFinderOptions) {
  async function find(number: string, { carrier, life }: Selection, caller: Caller): Promise<Found> {
    const known: { parcels: readonly Parcel[]; names: readonly string[] } = { parcels: [], names: [] };
    const chosen = await freshness.read(caller, async () => {
      const { parcels, open } = await parcelsOf(number, caller);
      known.parcels = parcels;
      known.names = await namesOf(parcels);
      if (carrier === undefined) return parcels[0] && (await choose(number, parcels[0], open, caller));
      const named = parcels.find((_, index) => known.names[index] === carrier);
      return named && { named };
    });
    const { parcels, names } = known;
    if (!chosen) throw parcels.length === 0 ? notFound(number) : notOfCarrier(number, names);
    const carrierOf = (parcel: Parcel) => names[parcels.indexOf(parcel)]!;
    const { named, network }: NetworkChoice<Parcel> = chosen;
    return {
      named,
      carrier: carrierOf(named),
      names: [...new Set(names)],
      number,
      life,
      ...(network && {
        network: {
          number: network.number,
          parcels: network.parcels
            .map((parcel) => ({ parcel, carrier: carrierOf(parcel) }))
            .sort((a, b) => (a.carrier < b.carrier ? -1 : 1)),
        },
      }),
    };
  }

  /** The parcel for a caller who names no carrier. `first`: by rules N5 and N6. */
  const choose = (number: string, first: Parcel, open: readonly Parcel[], caller: Caller) =>
    seesAll(first, caller)
      ? { named: first }
      : chooseNetwork(number, open, { networksOf, holder: (parcels) => queries.holder(parcels) });

  /** Providers that have the same name as a business in the list get the prefix `provider:`. */
  async function namesOf(parcels: readonly Parcel[]): Promise<string[]> {
    const names = await Promise.all(parcels.map(({ owner }) => nameOf(owner)));
    const businesses = new Set(names.filter((_, index) => parcels[index]!.owner.kind === 'business'));
    return names.map((name, index) =>
      parcels[index]!.owner.kind === 'provider' && businesses.has(name) ? `provider:${name}` : name,
    );
  }

  /**
   * The parcels that a number identifies, in the order of rule N5: the caller's own, by whatever identifier; those that
   * the caller was given; and those with a public identifier (`open`), the holder of the number first. No other client
   * can hide a caller's own parcel with another meaning of its number.
   */
  async function parcelsOf(
    number: string,
    caller: Caller,
  ): Promise<{ readonly parcels: readonly Parcel[]; readonly open: readonly Parcel[] }> {
    const identifiers = openIdentifiers(number);
    const [open, closed] = await Promise.all([
      queries.byAnyIdentifier(identifiers),
      caller.role === 'anonymous' ? [] : byClosedIdentifiers(number, caller),
    ]);
    const own = open.filter((parcel) => isOwn(parcel, caller));
    const parcels = unique([
      ...own.filter((parcel) => identifiers.includes(parcel.number)),
      ...own,
      ...closed.filter((parcel) => isOwn(parcel, caller)),
      ...open.filter((parcel) => seesAll(parcel, caller)),
      ...closed,
      ...open,
    ]);
    return { parcels, open };
  }

  /**
   * Parcels that the caller may see in full, by their order id or package id, which are easy to guess; and by the
   * id that the public view of a parcel without public identifiers shows. That id is derived from order and package ids,
   * so it is equally easy to guess.
   */
  async function byClosedIdentifiers(number: string, caller: Caller): Promise<readonly Parcel[]> {
    const id = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(number)?.[1];
    const [byIds, row] = await Promise.all([
      queries.byAnyIdentifier([`package:${number}`, `order:${number}`]),
      id === undefined ? undefined : queries.byId(id),
    ]);
    const byTrackingId = row ? byOwnerAndNumber([{ ...row, since: row.opened, since_at: row.opened_at }]) : [];
    return [...byIds, ...byTrackingId].filter((parcel) => seesAll(parcel, caller));
  }

  return find;
}

/**
 * The carrier of a timeline, and the others with the number. If the timeline merges the scans of several carriers, its
 * carrier is the one with the first scan.
 */
export function carrierMatchOf(
  { carrier, names, network }: Found,
  { carriers }: Partial<Pick<NetworkLife, 'carriers'>>,
): CarrierMatch {
  if (!network || !carriers) return { carrier, alternatives: names.filter((name) => name !== carrier) };
  const [first, ...others] = new Set([...carriers, ...network.parcels.map((one) => one.carrier), ...names]);
  return { carrier: first!, alternatives: others, carriers };
}

/** The parcels without repetitions, each at its first place. */
const unique = <T extends Pick<Parcel, 'owner' | 'number'>>(parcels: readonly T[]): T[] => {
  const seen = new Set<string>();
  return parcels.filter(({ owner, number }) => {
    const key = JSON.stringify([owner.kind, owner.id, number]);
    return !seen.has(key) && seen.add(key);
  });
};
