/** Returns the content of labels. */
import { z } from 'zod';
import { FileDamaged } from '../../../engines/files/files.js';
import { labelOrderIdOf, LABEL_PREFIX } from '../../../events/labels/events.js';
import type { LabelPackage } from '../../../events/labels/order.js';
import type { LabelQueries } from '../../../projections/labels/queries.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { FileReader } from '../files/operations.js';
import { labelOrderName, namedLabelOrder } from './label-reading.js';
import { LABEL_WRITERS, labelViewerOf } from './viewer.js';

export interface LabelContentOptions {
  readonly queries: LabelQueries;
  /** Undefined: the file was erased, or is no label of the order. Throws FileDamaged. */
  readonly open: (
    fileId: string,
    of: { readonly business: number; readonly orderId: number },
  ) => Promise<Buffer | undefined>;
  /** Downloads labels that could not be downloaded at their purchase. */
  readonly downloadMissing: (orderId: number) => Promise<void>;
}

/** Maximum size of all labels in one response. */
const MAX_BYTES = 20 * 1_048_576;

export const labelContent = ({ queries, open, downloadMissing }: LabelContentOptions): Operation =>
  operation({
    name: 'labelOrderFiles',
    fixed: { name: 'shippingGetShippingLabel', method: 'post', path: '/v1/shipping/getShippingLabel' },
    area: 'Shipping',
    summary: 'Get the labels of an order as base64',
    description:
      'Returns one file for each package that has a label. A label that could not be downloaded at its purchase is requested from the carrier again. Single files are also at the `href` of `labelOrder`.',
    rest: { method: 'post', path: '/v1/label-orders/files' },
    callers: LABEL_WRITERS,
    scopes: ['labels:write'],
    risk: 'high',
    confirm: true,
    writes: true,
    readsAgain: true,
    reads: ['labels', 'carrier_accounts'],
    answers: {
      404: 'There is no such label order.',
      409: '`NO_LABEL`: the order or the package has no label, or its file is missing.',
      413: '`FILE_TOO_LARGE`: name one package with `package_id`.',
    },
    input: z.object({
      ...labelOrderName,
      package_id: z.string().min(1).max(10).optional().describe('Only this package. Default: all that have a label.'),
    }),
    output: z.object({
      result: z.boolean(),
      order_id: z.int(),
      label_files: z.array(
        z
          .object({ package_id: z.string(), tracking_number: z.string(), media_type: z.string(), base64: z.string() })
          .meta({ id: 'LabelContent' }),
      ),
    }),
    async run({ package_id, ...name }, { caller, cause }) {
      const found = await namedLabelOrder(queries, caller, name);
      let order = found;
      // A download is stored.
      if (order.is_label_missing && !cause.dryRun) {
        await downloadMissing(order.id);
        order = (await queries.byId(order.id, labelViewerOf(caller))) ?? found;
      }
      const wanted = order.labels.packages.filter(
        (one) => one.label && (package_id === undefined || one.package_id === package_id),
      );
      if (wanted.length === 0) throw new ApiError('NO_LABEL', { params: { state: order.state } });
      const size = wanted.reduce((sum, { label }) => sum + label!.bytes, 0);
      if (size > MAX_BYTES) throw new ApiError('FILE_TOO_LARGE', { params: { max: MAX_BYTES } });
      const labels = await Promise.all(
        wanted.map((one) => contentOf((id) => open(id, { business: order.business, orderId: order.id }), one)),
      );
      if (labels.some((one) => one === undefined)) throw new ApiError('NO_LABEL', { params: { state: order.state } });
      return { result: true, order_id: order.id, label_files: labels.flatMap((one) => one ?? []) };
    },
  });

async function contentOf(
  open: (fileId: string) => Promise<Buffer | undefined>,
  { package_id, tracking_number, label }: LabelPackage,
) {
  const content = await open(label!.file_id).catch((error: unknown) => {
    throw error instanceof FileDamaged ? new ApiError('FILE_DAMAGED') : error;
  });
  return (
    content && {
      package_id,
      tracking_number: tracking_number!,
      media_type: label!.media_type,
      base64: content.toString('base64'),
    }
  );
}

/** A label is encrypted with the key of its order, which its subject names. */
export const labelReader = (queries: Pick<LabelQueries, 'byId'>): FileReader => ({
  scope: 'labels:read',
  async canRead({ purpose, subject, id }, caller) {
    if (purpose !== 'issued' || !subject.startsWith(LABEL_PREFIX)) return false;
    const order = await queries.byId(labelOrderIdOf(subject), labelViewerOf(caller));
    return order?.labels.packages.some(({ label }) => label?.file_id === id) ?? false;
  },
});
