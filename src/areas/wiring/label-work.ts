/**
 * Background work of label orders: a follower of the log writes what follows from their events, if a process ended
 * before it did, and keeps the files that events name. Labels that are missing are downloaded at intervals.
 */
import type { Parts } from '../../api/core/parts.js';
import type { Commands } from '../../commands/commands.js';
import type { LabelReader } from '../../commands/labels/reader.js';
import { LABEL_FOLLOWED } from '../../commands/labels/following.js';
import { startLoop } from '../../effects/wakeable-loop.js';
import type { Engines } from '../../engines/open.js';
import type { StoredEvent } from '../../events/core/log.js';
import { LABEL_PURCHASE, type LabelPurchaseResult, type StoredLabelFile } from '../../events/labels/effects.js';
import { LabelFileStored, LABEL_PREFIX } from '../../events/labels/events.js';
import { startFollower } from '../../projections/core/follower.js';
import type { LabelQueries } from '../../projections/labels/queries.js';
import type { LabelFiles } from './label-files.js';
import { createMissingRound, type DownloadMissing } from './missing-labels.js';

/** Its row in the checkpoint table. */
export const LABEL_WORK = { name: 'label_work', version: 1, prefixes: [LABEL_PREFIX] } as const;

/** Interval of the downloads of missing labels, and the days for which they are tried. */
const DOWNLOAD_MS = 120_000;
const DOWNLOAD_DAYS = 30;
const DAY_MS = 86_400_000;

export interface LabelWorkOptions extends Parts<'progress' | 'logger' | 'now'> {
  readonly engines: Pick<Engines, 'log' | 'projectionPool' | 'holder'>;
  readonly follow: Commands['followLabels'];
  readonly files: Pick<LabelFiles, 'keep'>;
  readonly read: LabelReader;
  readonly queries: Pick<LabelQueries, 'missing'>;
  readonly missing: DownloadMissing;
}

export function startLabelWork(options: LabelWorkOptions) {
  const { engines, follow, files, read, queries, missing, progress, logger, now } = options;
  const { log, projectionPool: pool, holder: owner } = engines;

  async function keepLabels(event: StoredEvent): Promise<void> {
    const labels = labelsIn(event);
    const { created } = labels.length > 0 ? await read(event.stream) : {};
    if (!created) return;
    const of = { business: created.business, orderId: created.order_id };
    for (const { file_id } of labels) await files.keep(file_id, of);
  }

  const follower = startFollower({
    reader: LABEL_WORK,
    log,
    pool,
    owner,
    progress,
    background: true,
    onError: (error) => logger.error({ err: error }, 'label orders are not followed yet, trying again'),
    async take({ events }) {
      for (const event of events) await keepLabels(event);
      const followed = new Set(events.filter(({ type }) => LABEL_FOLLOWED.has(type)).map(({ stream }) => stream));
      for (const stream of followed) await follow(stream);
    },
  });
  const downloadNext = createMissingRound({ missing: queries.missing, download: missing });
  const loop = startLoop({
    async round() {
      const since = new Date(now() - DOWNLOAD_DAYS * DAY_MS).toISOString();
      await downloadNext(since);
      return false;
    },
    everyMs: DOWNLOAD_MS,
    onError: (error) => logger.error({ err: error }, 'labels could not be downloaded, trying again'),
  });
  return {
    async stop(): Promise<void> {
      await Promise.all([follower.stop(), loop.stop()]);
    },
  };
}

/** The files that an event names. */
function labelsIn({ type, data }: StoredEvent): readonly StoredLabelFile[] {
  if (type === LabelFileStored.type) return [data['label'] as unknown as StoredLabelFile];
  if (type !== LABEL_PURCHASE.done.type) return [];
  return (data['result'] as unknown as LabelPurchaseResult).packages.flatMap(({ label }) => label ?? []);
}
