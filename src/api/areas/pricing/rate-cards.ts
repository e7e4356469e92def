/** Rate cards of a business, their versions, and the default cards. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { DefaultCardCommand } from '../../../commands/pricing/default-cards.js';
import type { RateCardCommand } from '../../../commands/pricing/rate-cards.js';
import { cardDigest } from '../../../events/pricing/card.js';
import { pricingStream, rateCardStream } from '../../../events/pricing/events.js';
import { FAMILIES } from '../../../events/pricing/families.js';
import { versionInForce, type RateCardQueries } from '../../../projections/pricing/queries.js';
import { RATE_CARD_IDS, type CardVersion, type RateCardRow } from '../../../projections/pricing/read-model.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError, invalidField, invalidForm } from '../../core/errors.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { createWrite } from '../../core/write.js';
import { cardInput, checkedCard } from './card-input.js';
import { currencyInput, familySchema, rate_card_id, RATE_CARD_VERSION, rateCardOutput, toRateCard } from './shapes.js';

const READ = {
  area: 'Pricing',
  callers: ['client_admin', 'employee', 'auditor'],
  scopes: ['billing:read'],
  reads: ['rate_cards', 'default_cards'],
} as const;
export const WRITE = {
  area: 'Pricing',
  callers: ['client_admin'],
  scopes: ['billing:write'],
  awaits: ['rate_cards'],
  writes: true,
  risk: 'high',
} as const;
export const NOT_FOUND = { 404: 'There is no such rate card.' };
export const PUBLISH_ANSWERS = {
  ...NOT_FOUND,
  409: '`RATE_CARD_RETIRED`: the card is retired. `TOO_MANY_VERSIONS`: the card has 200 versions.',
  422: '`RATE_CARD_INVALID`: the card has errors. The response lists at most 100 of them, each with a JSON Pointer.',
};
/** Tolerated difference between the clocks of client and service for a version that is valid from now on. */
const CLOCK_TOLERANCE_MS = 60_000;

const defaultCardOutput = z
  .object({ family: familySchema, rate_card_id: z.int().nullable() })
  .meta({ id: 'DefaultRateCard' });

export const validFromInput = z.iso
  .datetime({ offset: true })
  .optional()
  .describe('Time from which the version is valid. Default: now. A time in the past is rejected.');

/** RFC 3339 in UTC. Throws INVALID_INPUT for the past. `time`: now, in milliseconds since 1970. */
export function validFrom(given: string | undefined, time: number): string {
  const at = given === undefined ? time : Date.parse(given);
  if (at < time - CLOCK_TOLERANCE_MS) throw invalidForm('valid_from', 'an instant that is not in the past');
  return new Date(at).toISOString();
}

export interface RateCardsOptions {
  readonly handle: Handle<RateCardCommand, undefined>;
  readonly defaults: Handle<DefaultCardCommand, undefined>;
  readonly queries: RateCardQueries;
}

/** The rate card of the caller's business. Throws RATE_CARD_NOT_FOUND. */
export const createRateCardOf =
  (queries: RateCardQueries) =>
  async (id: number, caller: Caller): Promise<RateCardRow> => {
    const found = await queries.byId(id, businessOf(caller));
    if (!found) throw new ApiError('RATE_CARD_NOT_FOUND');
    return found;
  };

/**
 * The version with the number. Without a number: the version in force, or undefined. Throws
 * RATE_CARD_VERSION_NOT_FOUND.
 */
export function versionFor(row: RateCardRow, number: number | undefined, at: number): CardVersion | undefined {
  if (number === undefined) return versionInForce(row, at);
  const found = row.versions.find(({ version }) => version === number);
  if (!found) throw new ApiError('RATE_CARD_VERSION_NOT_FOUND');
  return found;
}

export function rateCardOperations({ handle, defaults, queries }: RateCardsOptions): Operation[] {
  const write = createWrite(handle, rateCardStream);
  const setDefault = createWrite(defaults, pricingStream);
  const rateCardOf = createRateCardOf(queries);

  /** The card at the time of the request. */
  async function shown(row: RateCardRow, { caller, time }: Context) {
    return toRateCard(row, (await queries.defaults(businessOf(caller)))[row.family], time);
  }

  return [
    operation({
      ...READ,
      name: 'rateCards',
      summary: 'List rate cards',
      description: 'Lists the rate cards of the business with their versions, sorted by id.',
      rest: { method: 'get', path: '/v1/rate-cards' },
      input: z.object({
        family: familySchema.optional(),
        status: z.enum(['active', 'retired']).optional(),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, rate_cards: z.array(rateCardOutput) }),
      async run({ family, status, ...page }, { caller, time }) {
        const business = businessOf(caller);
        const retired = status === undefined ? undefined : status === 'retired';
        const { rows, ...found } = await queries.list({ family, retired, ...rangeOf(page) }, business);
        const defaultIds = await queries.defaults(business);
        return { ...pageOf(page, found), rate_cards: rows.map((row) => toRateCard(row, defaultIds[row.family], time)) };
      },
    }),
    operation({
      ...READ,
      name: 'rateCard',
      versioned: RATE_CARD_VERSION,
      summary: 'Get a rate card',
      description:
        'Returns the versions of the card, and the document of one version. A version never changes, so its document also explains old prices.',
      rest: { method: 'get', path: '/v1/rate-cards/:rate_card_id' },
      answers: { 404: 'There is no such rate card, or it has no such version.' },
      input: z.object({
        rate_card_id,
        version: z
          .int()
          .min(1)
          .optional()
          .describe('Number of the version whose document is returned. Default: the version in force.'),
      }),
      output: z.object({ result: z.boolean(), rate_card: rateCardOutput }),
      async run({ rate_card_id: id, version }, context) {
        const row = await rateCardOf(id, context.caller);
        const found = versionFor(row, version, context.time);
        const card = found ? await queries.document(id, found) : null;
        return { result: true, rate_card: { ...(await shown(row, context)), card } };
      },
    }),
    operation({
      ...WRITE,
      name: 'rateCardCreate',
      risk: 'medium',
      returns: { read: 'rateCard' },
      summary: 'Create a rate card',
      description:
        'Creates an empty rate card of a family. The card takes effect when a version is published, and when it is the default card or the card of a customer.',
      rest: { method: 'post', path: '/v1/rate-cards', status: 201 },
      input: z.object({ family: familySchema, name: z.string().trim().min(1).max(200), currency: currencyInput }),
      output: z.object({ result: z.boolean() }),
      async run(input, context) {
        const [id] = await context.reserveIds(RATE_CARD_IDS, 1);
        await write(id!, context, { do: 'create', ...input });
        return { result: true, rate_card_id: id! };
      },
    }),
    operation({
      ...WRITE,
      name: 'rateCardPublish',
      versioned: RATE_CARD_VERSION,
      returns: { read: 'rateCard' },
      summary: 'Publish a version of a rate card',
      description:
        'Checks the card completely and publishes it as the next version. Published versions never change, and quotes keep their price until they expire. The newest version that is already valid is in force.',
      rest: { method: 'post', path: '/v1/rate-cards/:rate_card_id/versions' },
      answers: PUBLISH_ANSWERS,
      input: z.object({ rate_card_id, card: cardInput, valid_from: validFromInput }),
      output: z.object({ result: z.boolean() }),
      async run({ rate_card_id: id, card: raw, valid_from }, context) {
        const { family } = await rateCardOf(id, context.caller);
        const card = checkedCard(raw, family);
        await write(id, context, {
          do: 'publish',
          card,
          digest: cardDigest(card),
          validFrom: validFrom(valid_from, context.time),
        });
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'rateCardRetire',
      versioned: RATE_CARD_VERSION,
      returns: { read: 'rateCard' },
      summary: 'Retire a rate card',
      description: 'The card no longer prices new orders and quotes. Existing quotes remain valid until they expire.',
      rest: { method: 'post', path: '/v1/rate-cards/:rate_card_id/retire' },
      answers: NOT_FOUND,
      input: z.object({ rate_card_id }),
      output: z.object({ result: z.boolean() }),
      async run(input, context) {
        await write(input.rate_card_id, context, { do: 'retire' });
        return { result: true };
      },
    }),
    operation({
      ...READ,
      name: 'defaultCards',
      reads: ['default_cards'],
      summary: 'List the default rate cards',
      description: 'Lists the default card of each family. It prices the orders of customers without a separate card.',
      rest: { method: 'get', path: '/v1/pricing/defaults' },
      input: z.object({}),
      output: z.object({ result: z.boolean(), default_cards: z.array(defaultCardOutput).describe('All families.') }),
      async run(_input, { caller }) {
        const ids = await queries.defaults(businessOf(caller));
        return {
          result: true,
          default_cards: FAMILIES.map((family) => ({ family, rate_card_id: ids[family] ?? null })),
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'defaultCardSet',
      awaits: ['default_cards'],
      returns: { read: 'defaultCards', input: () => ({}) },
      summary: 'Set the default rate card of a family',
      description:
        'The card prices the orders of all customers without a separate card. With null, the family has no default card, and orders of customers without a separate card have no price.',
      rest: { method: 'put', path: '/v1/pricing/defaults/:family' },
      answers: { 404: 'There is no such rate card.', 409: '`RATE_CARD_RETIRED`: the card is retired.' },
      input: z.object({
        family: familySchema,
        rate_card_id: rate_card_id.nullable().describe('Null: no default card.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run({ family, rate_card_id: id }, context) {
        if (id !== null) await expectCard(id, family, context.caller);
        await setDefault(businessOf(context.caller), context, { do: 'set', family, rateCardId: id ?? undefined });
        return { result: true };
      },
    }),
  ];

  async function expectCard(id: number, family: string, caller: Caller): Promise<void> {
    const row = await rateCardOf(id, caller);
    if (row.retired) throw new ApiError('RATE_CARD_RETIRED');
    if (row.family !== family) throw invalidField('OTHER_FAMILY', 'rate_card_id');
  }
}
