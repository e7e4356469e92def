/**
 * Background work of manifests: a follower of the log brings the labels to the result of their manifest, and keeps the
 * documents. Manifests whose labels are still joining when their request has ended are continued at intervals.
 */
import type { Parts } from '../../api/core/parts.js';
import type { FollowManifests } from '../../commands/manifests/following.js';
import type { ManifestReader } from '../../commands/manifests/reader.js';
import { startLoop } from '../../effects/wakeable-loop.js';
import type { Engines } from '../../engines/open.js';
import { LABEL_PREFIX, ManifestJoined } from '../../events/labels/events.js';
import type { StoredEvent } from '../../events/core/log.js';
import { LABEL_MANIFEST, type ManifestResult, type StoredManifestFile } from '../../events/manifests/effects.js';
import {
  MANIFEST_PREFIX,
  ManifestAbandoned,
  ManifestDocumentsStored,
  ManifestLabelsListed,
  manifestStream,
} from '../../events/manifests/events.js';
import { startFollower } from '../../projections/core/follower.js';
import type { ManifestQueries } from '../../projections/manifests/queries.js';
import type { ManifestFiles } from './manifest-files.js';
import type { DownloadDocuments } from './missing-documents.js';

/** Its row in the checkpoint table. */
export const MANIFEST_WORK = { name: 'manifest_work', version: 1, prefixes: [MANIFEST_PREFIX, LABEL_PREFIX] } as const;

/** Events after which labels leave the manifest, or are confirmed. */
const FOLLOWED: ReadonlySet<string> = new Set([
  ManifestLabelsListed.type,
  ManifestAbandoned.type,
  LABEL_MANIFEST.done.type,
  LABEL_MANIFEST.refused.type,
]);

/** Interval of the search for manifests whose labels are still joining. */
const FILL_MS = 5_000;
/** A request lets labels join for less than this multiple of `effectInlineMs`. */
const REQUEST_PART = 1.25;
const AT_ONCE = 20;
/** Interval of the downloads of missing documents, and the days for which they are tried. */
const DOWNLOAD_MS = 120_000;
const DOWNLOAD_DAYS = 30;
const DAY_MS = 86_400_000;

export interface ManifestWorkOptions extends Parts<'progress' | 'logger' | 'now'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder' | 'limits'>;
  readonly follow: FollowManifests;
  readonly files: Pick<ManifestFiles, 'keep'>;
  readonly read: ManifestReader;
  readonly queries: Pick<ManifestQueries, 'opening' | 'withMissingDocuments'>;
  readonly missing: DownloadDocuments;
}

export function startManifestWork(options: ManifestWorkOptions) {
  const { engines, follow, files, read, queries, missing, progress, logger, now } = options;
  const { log, projectionPool: pool, holder: owner } = engines;

  async function keepDocuments(event: StoredEvent): Promise<void> {
    const documents = documentsIn(event);
    const { manifest } = documents.length > 0 ? (await read(event.stream)).state : {};
    if (!manifest) return;
    const of = { business: manifest.business, manifestId: manifest.manifest_id };
    for (const { file_id } of documents) await files.keep(file_id, of);
  }

  const follower = startFollower({
    reader: MANIFEST_WORK,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'manifests are not followed yet, trying again'),
    async take({ events }) {
      for (const event of events) await keepDocuments(event);
      const followed = new Set(events.filter(({ type }) => FOLLOWED.has(type)).map(({ stream }) => stream));
      for (const stream of followed) await follow.settle(stream);
      await follow.followJoined(events.filter(({ type }) => type === ManifestJoined.type));
    },
  });
  const loop = startLoop({
    async round() {
      const found = await queries.opening(
        new Date(now() - engines.limits.effectInlineMs * REQUEST_PART).toISOString(),
        AT_ONCE,
      );
      for (const id of found) await follow.fill(manifestStream(id));
      return false;
    },
    everyMs: FILL_MS,
    onError: (error) => logger.error({ err: error }, 'manifests could not be continued, trying again'),
  });
  const downloads = startLoop({
    async round() {
      const since = new Date(now() - DOWNLOAD_DAYS * DAY_MS).toISOString();
      for (const id of await queries.withMissingDocuments(since, AT_ONCE)) await missing(id);
      return false;
    },
    everyMs: DOWNLOAD_MS,
    onError: (error) => logger.error({ err: error }, 'documents could not be downloaded, trying again'),
  });
  return {
    async stop(): Promise<void> {
      await Promise.all([follower.stop(), loop.stop(), downloads.stop()]);
    },
  };
}

/** The files that an event names. */
function documentsIn({ type, data }: StoredEvent): readonly StoredManifestFile[] {
  if (type === ManifestDocumentsStored.type) return data['documents'] as unknown as readonly StoredManifestFile[];
  if (type !== LABEL_MANIFEST.done.type) return [];
  return (data['result'] as unknown as ManifestResult).documents ?? [];
}
