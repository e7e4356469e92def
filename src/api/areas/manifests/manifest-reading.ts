/** Reads of manifests, and of their documents. */
import { z } from 'zod';
import { manifestIdOf, MANIFEST_PREFIX } from '../../../events/manifests/events.js';
import { MANIFEST_STATUSES } from '../../../events/manifests/manifest.js';
import type { ManifestQueries } from '../../../projections/manifests/queries.js';
import { businessOf, type CallerKind } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import type { FileReader } from '../files/operations.js';
import { manifestOutput, toManifest } from './manifest-output.js';

/** Customers see neither manifests nor other orders in them. */
export const MANIFEST_CALLERS = ['client_admin', 'employee'] as const satisfies readonly CallerKind[];

export function manifestReads({ queries }: { readonly queries: ManifestQueries }): Operation[] {
  const READ = {
    area: 'LabelService',
    callers: MANIFEST_CALLERS,
    scopes: ['labels:read'],
    reads: ['manifests'],
  } as const;
  return [
    operation({
      ...READ,
      name: 'manifests',
      summary: 'List manifests',
      description:
        'Manifests of ends of day, the newest first. A manifest has labels of one carrier account and one ship date that the carrier takes over together.',
      rest: { method: 'get', path: '/v1/manifests' },
      input: z.object({
        status: z.array(z.enum(MANIFEST_STATUSES)).min(1).max(MANIFEST_STATUSES.length).optional(),
        carrier_account_id: idSchema.optional(),
        ship_date: dateSchema.optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, manifests: z.array(manifestOutput) }),
      async run({ status, carrier_account_id, ship_date, ...page }, { caller }) {
        const filter = { ...rangeOf(page), statuses: status, accountId: carrier_account_id, shipDate: ship_date };
        const found = await queries.list(filter, businessOf(caller));
        return { ...pageOf(page, found), manifests: found.rows.map(({ manifest }) => toManifest(manifest)) };
      },
    }),
    operation({
      ...READ,
      name: 'manifest',
      summary: 'Get a manifest',
      description: 'Status, orders, refused labels, and links to the documents of the carrier.',
      rest: { method: 'get', path: '/v1/manifests/:manifest_id' },
      answers: { 404: 'There is no such manifest.' },
      input: z.object({ manifest_id: idSchema }),
      output: z.object({ result: z.boolean(), manifest: manifestOutput }),
      async run({ manifest_id }, { caller }) {
        const found = await queries.byId(manifest_id, businessOf(caller));
        if (!found) throw new ApiError('MANIFEST_NOT_FOUND');
        return { result: true, manifest: toManifest(found.manifest) };
      },
    }),
  ];
}

/** A document is encrypted with the key of its manifest, which its subject names. */
export const manifestReader = (queries: Pick<ManifestQueries, 'byId'>): FileReader => ({
  scope: 'labels:read',
  async canRead({ purpose, subject, business, id }, { role }) {
    const isOffice = MANIFEST_CALLERS.some((one) => one === role);
    if (!isOffice || purpose !== 'issued' || !subject.startsWith(MANIFEST_PREFIX)) return false;
    const found = await queries.byId(manifestIdOf(subject), business);
    return found?.manifest.result?.documents?.some(({ file_id }) => file_id === id) ?? false;
  },
});
