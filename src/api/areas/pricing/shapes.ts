/** Rate cards in requests and responses. */
import { z } from 'zod';
import { amountSchema, currencySchema } from '../../../events/core/money.js';
import { FAMILIES } from '../../../events/pricing/families.js';
import { rateCardStream } from '../../../events/pricing/events.js';
import { versionInForce } from '../../../projections/pricing/queries.js';
import type { RateCardRow } from '../../../projections/pricing/read-model.js';
import { idSchema } from '../../core/ids.js';
import { versionBy, versionSchema } from '../../core/versions.js';

export const rate_card_id = idSchema;
export const familySchema = z.enum(FAMILIES).describe('Order family.');
export const currencyInput = currencySchema.describe('ISO 4217 code, for example `EUR`.');
export const amountInput = amountSchema.describe('Exact decimal number, for example `12.50`.');
export const RATE_CARD_VERSION = versionBy('rate_card_id', rateCardStream);

const cardVersion = z
  .object({
    version: z.int(),
    valid_from: z.iso.datetime(),
    sha256: z.string().describe('SHA-256 of the canonical JSON of the card, hexadecimal.'),
    status: z
      .enum(['published', 'in_force', 'superseded'])
      .describe('`published`: the version is not valid yet. `superseded`: a later version is in force.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'RateCardVersion' });

export const rateCardOutput = z
  .object({
    id: z.int(),
    family: familySchema,
    name: z.string(),
    currency: z.string(),
    status: z.enum(['active', 'retired']),
    is_default: z.boolean().describe('True: the card applies to customers without a separate card.'),
    versions: z.array(cardVersion).describe('Oldest first.'),
    card: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('Document of a version. Present only in `rateCard`. Null: no version is in force.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: versionSchema,
  })
  .meta({ id: 'RateCard' });
export type RateCardOutput = z.infer<typeof rateCardOutput>;

/** `defaultId`: the default card of the family. `at`: milliseconds since 1970. */
export function toRateCard(row: RateCardRow, defaultId: number | undefined, at: number): RateCardOutput {
  const inForce = versionInForce(row, at)?.version;
  return {
    id: row.id,
    family: row.family,
    name: row.name,
    currency: row.currency,
    status: row.retired ? 'retired' : 'active',
    is_default: row.id === defaultId,
    versions: row.versions.map(({ version, valid_from, digest, created_at }) => ({
      version,
      valid_from,
      sha256: digest,
      status: version === inForce ? 'in_force' : Date.parse(valid_from) > at ? 'published' : 'superseded',
      created_at,
    })),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.revision,
  };
}
