/** Returns the content of labels. */
import { z } from 'zod';
import { FileDamaged } from '../../../engines/files/files.js';
import { LABEL_FORMATS, LABEL_MEDIA_TYPES, type LabelFormat } from '../../../engines/outside/carriers/shipment.js';
import { labelOrderIdOf, LABEL_PREFIX } from '../../../events/labels/events.js';
import type { LabelPackage, LabelShipment } from '../../../events/labels/order.js';
import { hasLabel, shipmentOf } from '../../../events/labels/state.js';
import type { LabelOrderView, LabelQueries } from '../../../projections/labels/queries.js';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { FileReader } from '../files/operations.js';
import { labelOrderName, labelStreamOf, namedLabelOrder } from './label-reading.js';
import type { LabelContent, MergeLabels } from './merged-labels.js';
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
  /** Asks the carrier for the label of a shipment in another format. Undefined: there is none. */
  readonly downloadInFormat: (
    order: LabelOrderView,
    shipment: LabelShipment,
    format: LabelFormat,
  ) => Promise<Buffer | undefined>;
  readonly merge: MergeLabels;
}

/** Maximum size of all labels in one response. */
const MAX_BYTES = 20 * 1_048_576;

export function labelContent(options: LabelContentOptions): Operation {
  const { queries, open, downloadMissing, downloadInFormat, merge } = options;
  return operation({
    name: 'labelOrderFiles',
    fixed: { name: 'shippingGetShippingLabel', method: 'post', path: '/v1/shipping/getShippingLabel' },
    area: 'Shipping',
    summary: 'Get the labels of an order as base64',
    description:
      'Returns one PDF with all labels if they are PDFs that can be joined, otherwise one file for each package that has a label. A label that could not be downloaded at its purchase is requested from the carrier again. Single files are also at the `href` of `labelOrder`.',
    rest: { method: 'post', path: '/v1/label-orders/files' },
    callers: LABEL_WRITERS,
    scopes: ['labels:write'],
    risk: 'high',
    confirm: true,
    writes: true,
    readsAgain: true,
    concerns: labelStreamOf(queries),
    reads: ['labels', 'carrier_accounts'],
    answers: {
      404: 'There is no such label order.',
      409: '`NO_LABEL`: the order or the package has no label, or its file is missing. `FORMAT_MISSING`: the carrier does not return the label in `format`.',
      413: '`FILE_TOO_LARGE`: name one package with `package_id`.',
    },
    input: z.object({
      ...labelOrderName,
      package_id: z.string().min(1).max(10).optional().describe('Only this package. Default: all that have a label.'),
      format: z
        .enum(LABEL_FORMATS)
        .optional()
        .describe('File format. Another one than that of the order is requested from the carrier. Default: as bought.'),
    }),
    output: z.object({
      result: z.boolean(),
      order_id: z.int(),
      label_files: z.array(
        z
          .object({
            package_ids: z.array(z.string()).describe('Packages whose labels are in the file, in their order.'),
            tracking_numbers: z.array(z.string()),
            media_type: z.string(),
            base64: z.string(),
          })
          .meta({ id: 'LabelContent' }),
      ),
    }),
    async run({ package_id, format, ...name }, { caller, cause }) {
      const found = await namedLabelOrder(queries, caller, name);
      let order = found;
      // A download is stored.
      if (order.is_label_missing && !cause.dryRun) {
        await downloadMissing(order.id);
        order = (await queries.byId(order.id, labelViewerOf(caller))) ?? found;
      }
      const wanted = order.labels.packages.filter(
        (one) =>
          one.label &&
          hasLabel(shipmentOf(order.labels, one.package_id)!) &&
          (package_id === undefined || one.package_id === package_id),
      );
      if (wanted.length === 0) throw new ApiError('NO_LABEL', { params: { state: order.state } });
      const size = wanted.reduce((sum, { label }) => sum + label!.bytes, 0);
      if (size > MAX_BYTES) throw tooLarge();
      // A carrier may create a label in another format when it is requested.
      const read = cause.dryRun ? wanted.filter(({ label }) => isStoredIn(label!.format, format)) : wanted;
      const labels = await Promise.all(read.map((one) => contentOf(order, one, format)));
      if (labels.reduce((sum, { content }) => sum + content.length, 0) > MAX_BYTES) throw tooLarge();
      const files = await merge(labels, businessOf(caller));
      return {
        result: true,
        order_id: order.id,
        label_files: files.map(({ package_ids, tracking_numbers, media_type, content }) => ({
          package_ids: [...package_ids],
          tracking_numbers: [...tracking_numbers],
          media_type,
          base64: content.toString('base64'),
        })),
      };
    },
  });

  /** Throws NO_LABEL, FORMAT_MISSING and FILE_DAMAGED. */
  async function contentOf(
    order: LabelOrderView,
    { package_id, tracking_number, label }: LabelPackage,
    format: LabelFormat = label!.format,
  ): Promise<LabelContent> {
    const isStored = isStoredIn(label!.format, format);
    const content = isStored
      ? await open(label!.file_id, { business: order.business, orderId: order.id }).catch((error: unknown) => {
          throw error instanceof FileDamaged ? new ApiError('FILE_DAMAGED') : error;
        })
      : await downloadInFormat(order, shipmentOf(order.labels, package_id)!, format);
    if (!content)
      throw isStored
        ? new ApiError('NO_LABEL', { params: { state: order.state } })
        : new ApiError('FORMAT_MISSING', { params: { format, formats: label!.format } });
    return {
      package_ids: [package_id],
      tracking_numbers: [tracking_number!],
      media_type: LABEL_MEDIA_TYPES[format],
      content,
    };
  }
}

const isStoredIn = (stored: LabelFormat, wanted: LabelFormat = stored): boolean => stored === wanted;

const tooLarge = (): ApiError => new ApiError('FILE_TOO_LARGE', { params: { max: MAX_BYTES } });

/** A label is encrypted with the key of its order, which its subject names. */
export const labelReader = (queries: Pick<LabelQueries, 'byId'>): FileReader => ({
  scope: 'labels:read',
  async canRead({ purpose, subject, id }, caller) {
    if (purpose !== 'issued' || !subject.startsWith(LABEL_PREFIX)) return false;
    const order = await queries.byId(labelOrderIdOf(subject), labelViewerOf(caller));
    return order?.labels.packages.some(({ label }) => label?.file_id === id) ?? false;
  },
});
