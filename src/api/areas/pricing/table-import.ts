/** Publishes a version of a rate card whose table comes from a CSV file. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { RateCardCommand } from '../../../commands/pricing/rate-cards.js';
import { cardDigest } from '../../../events/pricing/card.js';
import { rateCardStream } from '../../../events/pricing/events.js';
import type { RateCardQueries } from '../../../projections/pricing/queries.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { createWrite } from '../../core/write.js';
import { checkedCard } from './card-input.js';
import { createRateCardOf, PUBLISH_ANSWERS, validFrom, validFromInput, WRITE } from './rate-cards.js';
import { rate_card_id, RATE_CARD_VERSION } from './shapes.js';
import { tableOf } from './table-csv.js';

const MAX_BYTES = 2_000_000;

export interface TableImportOptions {
  readonly handle: Handle<RateCardCommand, undefined>;
  readonly queries: RateCardQueries;
}

export function tableImportOperation({ handle, queries }: TableImportOptions): Operation {
  const write = createWrite(handle, rateCardStream);
  const rateCardOf = createRateCardOf(queries);
  return operation({
    ...WRITE,
    name: 'rateCardTableImport',
    versioned: RATE_CARD_VERSION,
    returns: { read: 'rateCard' },
    summary: 'Publish a rate card version with a table from CSV',
    description:
      'Publishes a new version that is a copy of the newest version with another table. The body is CSV with the header `service,lane,up_to_kg,amount`. Rows without an upper limit need the columns `above_kg`, `base` and `per_kg`. The whole table is replaced.',
    rest: {
      method: 'post',
      path: '/v1/rate-cards/:rate_card_id/versions/import',
      query: ['valid_from'],
      bytes: MAX_BYTES,
      consumes: ['text/csv'],
    },
    streams: true,
    answers: {
      ...PUBLISH_ANSWERS,
      404: 'There is no such rate card, or it has no version yet.',
      422: `${PUBLISH_ANSWERS[422]} \`RATE_TABLE_UNREADABLE\`: the file cannot be read. The response contains the line.`,
    },
    input: z.object({ rate_card_id, valid_from: validFromInput }),
    output: z.object({ result: z.boolean() }),
    async run({ rate_card_id: id, valid_from }, context) {
      const row = await rateCardOf(id, context.caller);
      const newest = row.versions.at(-1);
      if (!newest) throw new ApiError('RATE_CARD_VERSION_NOT_FOUND');
      const document = await queries.document(id, newest);
      const card = checkedCard({ ...document, table: tableOf(context.bytes ?? Buffer.alloc(0)) }, row.family);
      const change = { card, digest: cardDigest(card), validFrom: validFrom(valid_from, context.time) };
      await write(id, context, { do: 'publish', ...change });
      return { result: true };
    },
  });
}
