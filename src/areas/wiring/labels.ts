/** Creates the parts of label orders: the calls to carriers, the files of labels, and the background work. */
import type { EffectKind } from '../../effects/kinds.js';
import { createMergeLabels } from '../../api/areas/labels/merged-labels.js';
import { purchaseRequestOf, voidRequestOf } from '../../api/areas/labels/label-requests.js';
import { wrongMemberOf } from '../../commands/labels/settled-purchase.js';
import { createLabelReader } from '../../commands/labels/reader.js';
import { createLabelParcels } from '../../engines/postgres/label-parcels.js';
import { createLabelPolls } from '../../engines/postgres/label-polls.js';
import { createPublicFileReader } from '../../engines/outside/fetch-public-file.js';
import { unseal } from '../../events/core/codec.js';
import { LABEL_PURCHASE, LABEL_VOID, type LabelPurchaseResult } from '../../events/labels/effects.js';
import { labelOrderIdOf, LabelOrderCreated, type NewLabelOrder } from '../../events/labels/events.js';
import { createLabelQueries } from '../../projections/labels/queries.js';
import type { AreaContext } from '../area-context.js';
import { carrierAccounts } from '../carrier-accounts.js';
import { effects } from '../effects.js';
import { files as fileArea } from '../files.js';
import { providers } from '../providers.js';
import { createLabelAdapters } from './label-adapters.js';
import { createCarrierDetails } from './carrier-details.js';
import { createCarrierInbound } from './carrier-inbound.js';
import { createCarrierScans } from './carrier-scans.js';
import { createLabelFormats } from './label-formats.js';
import { createLabelFiles, MAX_LABEL_BYTES } from './label-files.js';
import { createMissingLabels } from './missing-labels.js';

/** Timeout of the download of a label, in milliseconds. A call to a carrier has 30 s in total. */
const DOWNLOAD_MS = 8_000;

/** The list of all kinds does not have the types of their requests. */
const effectKind = <Request>(kind: EffectKind<Request>): EffectKind => kind as unknown as EffectKind;

export type Labels = ReturnType<typeof createLabels>;

export function createLabels(context: AreaContext) {
  const { commands, engines, database, types, of, progress, logger, now } = context;
  const { log, keyRing, pool } = engines;
  const { queries: accounts, calls, carriers, carrierProviders } = of(carrierAccounts);
  const { digestOf } = of(effects);
  const queries = createLabelQueries(database, keyRing);
  const read = createLabelReader({ log, types });
  const files = createLabelFiles({
    files: of(fileArea),
    download: createPublicFileReader({ maxBytes: MAX_LABEL_BYTES, timeoutMs: DOWNLOAD_MS }),
  });
  const adapters = createLabelAdapters({ accounts, calls, files });
  const missing = createMissingLabels({ accounts, calls, files, read, handle: commands.labels });

  const carrier = createCarrierDetails({ accounts, calls, read, handle: commands.labels });

  const parcels = createLabelParcels(pool);
  const scans = createCarrierScans({
    log,
    ingest: commands.ingest,
    follow: commands.followLabels,
    labels: queries,
    parcels,
    providers: carrierProviders,
    recordUnmapped: of(providers).unmapped.note,
    logger,
    now,
    progress,
  });

  /** The creation with its personal data, as far as its key exists; undefined: there is no such order. */
  async function createdOf(stream: string): Promise<NewLabelOrder | undefined> {
    const { past } = await read(stream);
    const event = past.find(({ type }) => type === LabelOrderCreated.type);
    return event && (unseal(event.data, event.id, await keyRing.existing([stream])) as unknown as NewLabelOrder);
  }

  return {
    queries,
    read,
    /** Whether the personal data of the order exists. */
    isReadable: async (stream: string): Promise<boolean> => (await createdOf(stream))?.to !== undefined,
    files,
    missing,
    inFormat: createLabelFormats({ accounts, calls, files }),
    merge: createMergeLabels(of(fileArea).readers.requests),
    digestOf,
    detailOf: carrier.detailOf,
    refreshVoids: carrier.refreshVoids,
    parcels,
    polls: createLabelPolls(pool),
    scans,
    inbound: createCarrierInbound({ carriers, accounts, calls, scans }),
    effectKinds: [
      effectKind({
        steps: LABEL_PURCHASE,
        adapter: adapters.purchase,
        async request(stream, effectId) {
          const { state } = await read(stream);
          const created = await createdOf(stream);
          return created && purchaseRequestOf(created, state.effects.get(effectId)?.about ?? '');
        },
        wrongMember: async (stream, effect, result) =>
          wrongMemberOf((await read(stream)).state.order, effect, result as unknown as LabelPurchaseResult),
        handle: commands.labels,
      }),
      effectKind({
        steps: LABEL_VOID,
        adapter: adapters.void,
        async request(stream, effectId) {
          const { state } = await read(stream);
          return voidRequestOf(labelOrderIdOf(stream), state.order, state.effects.get(effectId)?.about ?? '');
        },
        handle: commands.labels,
      }),
    ],
  };
}
