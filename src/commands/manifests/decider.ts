/**
 * Decides about one manifest. Its labels are listed once, in the append that begins the call to the carrier, so the call
 * always has the labels that have joined.
 */
import type { Fact } from '../../events/core/codec.js';
import { LABEL_MANIFEST, MANIFEST_EFFECTS, WHOLE_MANIFEST } from '../../events/manifests/effects.js';
import {
  ManifestAbandoned,
  ManifestDocumentsStored,
  ManifestLabelsListed,
  ManifestOpened,
  manifestStream,
} from '../../events/manifests/events.js';
import { isDocumentMissing, manifestStatusOf, type Manifest } from '../../events/manifests/manifest.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decider, Decision, PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';
import { beginEffect, lastAttempt, recordEffect } from '../effects/book.js';
import type { ListLabels, ManifestCommand, ManifestReply, OpenManifest, StoreDocuments } from './command.js';
import { evolve, initial, type ManifestState } from './state.js';

export type { ManifestCommand, ManifestReply } from './command.js';

export const manifests: Decider<ManifestState, ManifestCommand, ManifestReply> = {
  initial,
  begins: (command) => command.do === 'open',

  decide(state, command) {
    if (command.do === 'open') return decided(state, open(state, command));
    const { manifest } = state;
    if (command.do !== 'effect') {
      if (!manifest) throw new DomainError('MANIFEST_NOT_FOUND');
      return decided(state, command.do === 'list' ? list(state, manifest, command) : store(manifest, command));
    }
    const subject = manifest && manifestStream(manifest.manifest_id);
    const { facts, reply } = recordEffect(MANIFEST_EFFECTS, state.effects, command, subject);
    return { facts, reply: { ...decided(state, facts).reply, ...reply } };
  },

  evolve,
};

/** Throws CONFLICT if another business has the id. */
function open({ manifest: before }: ManifestState, { manifest }: OpenManifest): readonly Fact[] {
  if (before && before.business !== manifest.business) throw new DomainError('CONFLICT');
  return before ? [] : [factOf(manifest.manifest_id, newEvent(ManifestOpened, manifest))];
}

function list({ effects }: ManifestState, manifest: Manifest, { labels, digest }: ListLabels): readonly Fact[] {
  const { manifest_id, business, account_id, adapter, order_ids } = manifest;
  if (manifestStatusOf(manifest) !== 'opening') return [];
  const asked = new Set(order_ids);
  const joined = labels.filter(({ order_id }) => asked.has(order_id));
  if (joined.length === 0) return [factOf(manifest_id, newEvent(ManifestAbandoned, {}))];
  const stream = manifestStream(manifest_id);
  const beginning = { stream, business, about: WHOLE_MANIFEST, adapter, account: String(account_id), digest };
  return [
    factOf(manifest_id, newEvent(ManifestLabelsListed, { labels: joined })),
    ...beginEffect(LABEL_MANIFEST, effects, beginning).facts,
  ];
}

/** Documents that are stored already stay. */
const store = (manifest: Manifest, { documents }: StoreDocuments): readonly Fact[] =>
  isDocumentMissing(manifest)
    ? [factOf(manifest.manifest_id, newEvent(ManifestDocumentsStored, { documents: [...documents] }))]
    : [];

/** Each of these events occurs once in a stream. */
const factOf = (manifestId: number, { type, data }: NewEvent): Fact => ({
  id: derivedId('manifest', manifestId, type.type),
  type,
  data,
});

function decided(state: ManifestState, facts: readonly Fact[]): Decision<ManifestReply> {
  const { manifest, effects } = facts.reduce(
    (now, { id, type, data }) => evolve(now, { id, type: type.type, data: data as PastEvent['data'] }),
    { ...state, effects: new Map(state.effects) },
  );
  const call = lastAttempt(effects, LABEL_MANIFEST.kind, WHOLE_MANIFEST);
  return { facts, reply: { manifest, call, effect: undefined } };
}
