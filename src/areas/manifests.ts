/** Manifests: labels that a carrier takes over together at the end of the day. */
import { createEndDay } from '../api/areas/manifests/end-day.js';
import { createInTurn } from '../api/areas/manifests/in-turn.js';
import { MANIFEST_EXAMPLES } from '../api/areas/manifests/manifest-examples.js';
import { manifestReader, manifestReads } from '../api/areas/manifests/manifest-reading.js';
import { manifestRequestOf } from '../api/areas/manifests/manifest-requests.js';
import { manifestWrites } from '../api/areas/manifests/manifest-writing.js';
import { createSubmitOrders } from '../api/areas/manifests/submit-orders.js';
import { manifests as decider } from '../commands/manifests/decider.js';
import { createFollowManifests } from '../commands/manifests/following.js';
import { createOpenLabels } from '../commands/manifests/open-labels.js';
import { createManifestReader } from '../commands/manifests/reader.js';
import type { EffectKind } from '../effects/kinds.js';
import { createPublicFileReader } from '../engines/outside/fetch-public-file.js';
import { LABEL_MANIFEST, MANIFEST_EFFECTS, type ManifestResult } from '../events/manifests/effects.js';
import { MANIFEST_EVENTS, MANIFEST_PREFIX } from '../events/manifests/events.js';
import { createManifestQueries } from '../projections/manifests/queries.js';
import { MANIFEST_IDS, manifests as rows } from '../projections/manifests/read-model.js';
import { area } from './area.js';
import { carrierAccounts } from './carrier-accounts.js';
import { effects } from './effects.js';
import { files as fileArea } from './files.js';
import { jobs } from './jobs.js';
import { createManifestAdapter } from './wiring/manifest-adapters.js';
import { createManifestFiles, MAX_DOCUMENT_BYTES } from './wiring/manifest-files.js';
import { END_OF_DAY, SUBMIT_SHIPPING_INFORMATION } from './wiring/manifest-tools.js';
import { createMissingDocuments } from './wiring/missing-documents.js';
import { MANIFEST_WORK, startManifestWork } from './wiring/manifest-work.js';

/** Timeout of the download of a document, in milliseconds. A call to a carrier has 30 s in total. */
const DOWNLOAD_MS = 8_000;

export const manifests = area({
  name: 'manifests',
  examples: MANIFEST_EXAMPLES,
  streams: [
    { prefix: MANIFEST_PREFIX, events: MANIFEST_EVENTS, tenant: 'business', erasure: 'own', effects: MANIFEST_EFFECTS },
  ],
  readModels: [rows],
  sequences: [MANIFEST_IDS],
  followers: [MANIFEST_WORK],
  errors: { MANIFEST_NOT_FOUND: 404 },
  tools: { operations: [END_OF_DAY, SUBMIT_SHIPPING_INFORMATION] },
  services({ commands, database, engines: { log }, handle, of, types }) {
    const { queries: accounts, calls } = of(carrierAccounts);
    const { digestOf } = of(effects);
    const manifests = handle(decider);
    const read = createManifestReader({ log, types });
    const files = createManifestFiles({
      files: of(fileArea),
      download: createPublicFileReader({ maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: DOWNLOAD_MS }),
    });
    return {
      manifests,
      read,
      files,
      queries: createManifestQueries(database),
      openLabels: createOpenLabels({ log, types }),
      adapterOf: createManifestAdapter({ accounts, calls, files }),
      missing: createMissingDocuments({ accounts, calls, files, read, handle: manifests }),
      follow: createFollowManifests({
        read,
        labels: commands.labels,
        manifests,
        digestOf: (manifest, labels) => digestOf(manifestRequestOf(manifest, labels)),
      }),
      submitting: createSubmitOrders({ labels: commands.labels, jobs: () => of(jobs).jobs }),
    };
  },
  operations({ manifests, read, queries, openLabels, follow, submitting: { submit } }, { engines, of, now }) {
    const { queries: accounts, calls } = of(carrierAccounts);
    const { effectInlineMs: inlineMs } = engines.limits;
    const endDay = createEndDay({
      queries,
      openLabels,
      manifests,
      read,
      follow,
      submit,
      adapterOf: calls.adapterOf,
      isUnavailable: (account) => calls.waitOf(account) > 0,
      perform: of(effects).perform,
      inlineMs,
      inTurn: createInTurn(),
      now,
    });
    return [...manifestReads({ queries }), ...manifestWrites({ endDay, submit, accounts, inlineMs, now })];
  },
  effects: ({ manifests, read, adapterOf }) => [
    {
      steps: LABEL_MANIFEST,
      adapter: adapterOf,
      async request(stream: string) {
        const { manifest } = (await read(stream)).state;
        return manifest && manifestRequestOf(manifest, manifest.labels ?? []);
      },
      async wrongMember(stream: string, _effect: unknown, result: Pick<ManifestResult, 'refused'>) {
        const known = new Set((await read(stream)).state.manifest?.labels?.map(({ remote_id }) => remote_id));
        const unknown = result.refused.findIndex(({ remote_id }) => !known.has(remote_id));
        return unknown < 0 ? undefined : `/refused/${unknown}/remote_id`;
      },
      handle: manifests,
    } as unknown as EffectKind,
  ],
  jobs: ({ submitting }) => [submitting.job],
  fileReader: ({ queries }) => manifestReader(queries),
  work({ follow, files, read, queries, missing }, { engines, progress, logger, now }) {
    const work = startManifestWork({ engines, follow, files, read, queries, missing, progress, logger, now });
    return [() => work.stop()];
  },
});
