/** Parses the parameters of an EPCIS event query. Source: EPCIS 2.0, section 8.2.7 (SimpleEventQuery). */
import { readSubject } from '../../../events/otep/check/subject.js';
import type { Subject } from '../../../events/otep/model.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { instantOf, type Instant } from '../../../events/otep/time.js';
import type { Candidates, Cursor } from '../../../projections/captures/epcis-queries.js';
import { DEFAULT_PREFIXES } from '../../../serializers/epcis/context.js';
import { subjectOf } from '../../../serializers/epcis/identifiers.js';
import { FOREIGN, TERM_VARIANTS } from '../../../serializers/epcis/mapping.js';
import { bareWord, BIZ_STEP, DISPOSITION, type Vocabulary } from '../../../serializers/epcis/names.js';
import { textOf } from '../../../serializers/epcis/records.js';
import { isUri } from '../../../serializers/epcis/uri.js';
import { ACTIONS, BIZ_STEPS } from '../../../serializers/epcis/vocabulary.js';
import { ApiError } from '../../core/errors.js';
import type { Entry } from './event-entries.js';

/** One or more values: the parameter can be repeated, and `|` separates values. */
export type Values = string | readonly string[];

const listOf = (values: Values): string[] => [...new Set([values].flat().flatMap((value) => value.split('|')))];

function throwInvalid(field: string, code: string, params?: Record<string, string>): never {
  throw new ApiError('INVALID_INPUT', { errors: [{ field, path: '', code, ...(params && { params }) }] });
}

/** The parcels that the EPCs identify. */
export function parcelsOf(field: string, values: Values): Subject[] {
  return listOf(values).flatMap((epc) => {
    // A pattern would find nothing, and an empty result would be misleading.
    if (!isUri(epc) || /^urn:epc:(?:idpat|pat):/i.test(epc))
      throwInvalid(field, 'INVALID_VALUE', { allowed: 'EPC URN, Digital Link; no urn:epc:idpat' });
    return readSubject(subjectOf(epc), { path: '' }).subject ?? [];
  });
}

export function momentOf(field: string, value: string): Instant {
  return instantOf(value) ?? throwInvalid(field, 'INVALID_TIME');
}

/**
 * `stored`: ids of this service, from `urn:uuid:` values. `given`: all values, which may be ids of producers. UUIDs are
 * stored in lower case.
 */
export function eventIdsOf(values: Values): { readonly stored: readonly string[]; readonly given: readonly string[] } {
  const given = listOf(values);
  return {
    given: [
      ...new Set(given.flatMap((id) => (/^(?:urn:uuid:)?[0-9a-f-]{36}$/i.test(id) ? [id, id.toLowerCase()] : [id]))),
    ],
    stored: given.flatMap(
      (id) => /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(id)?.[1]?.toLowerCase() ?? [],
    ),
  };
}

/** A condition on events: a filter for the read model, and the exact check of the event. */
export interface EventCondition {
  /** Omitted if the read model cannot narrow the search. */
  readonly candidates?: Candidates;
  readonly matches: (entry: Pick<Entry, 'event' | 'prefixes'>) => boolean;
}

export function stepCondition(field: string, values: Values): EventCondition {
  const terms = termsOf(field, values, BIZ_STEP);
  return {
    candidates: {
      statuses: [...statusesWith(({ bizStep }) => terms.has(bizStep)), ...[...terms].map((word) => FOREIGN + word)],
      ...(terms.has('other') && { statusPrefixes: ['x-'] }),
      raws: [...terms],
    },
    matches: (entry) => terms.has(termIn(entry, 'bizStep', BIZ_STEP)),
  };
}

/** Native events are always ObjectEvents. */
export function typeCondition(field: string, values: Values): EventCondition {
  const types = expectAllowed(field, values, EVENT_TYPES);
  return {
    ...(!types.has('ObjectEvent') && { candidates: { statuses: [], ...ANY_FOREIGN } }),
    matches: ({ event }) => types.has(textOf(event['type']) ?? ''),
  };
}

export function actionCondition(field: string, values: Values): EventCondition {
  const actions = expectAllowed(field, values, ACTIONS);
  return {
    candidates: { statuses: statusesWith(({ action }) => actions.has(action)), ...ANY_FOREIGN },
    matches: ({ event }) => actions.has(textOf(event['action']) ?? ''),
  };
}

/** Foreign events store everything except the business step encrypted, so the filter includes all of them. */
const ANY_FOREIGN = { statusPrefixes: [FOREIGN], raws: [...BIZ_STEPS], uriRaws: true, captured: true };

export function dispositionCondition(field: string, values: Values): EventCondition {
  const terms = termsOf(field, values, DISPOSITION);
  return {
    candidates: {
      statuses: statusesWith(({ disposition }) => disposition !== undefined && terms.has(disposition)),
      reasons: INCIDENT_REASONS.filter(({ disposition }) => disposition !== null && terms.has(disposition)).map(
        ({ code }) => code,
      ),
      ...ANY_FOREIGN,
    },
    matches: (entry) => terms.has(termIn(entry, 'disposition', DISPOSITION)),
  };
}

const statusesWith = (
  matchesWording: (words: {
    readonly action: string;
    readonly bizStep: string;
    readonly disposition?: string;
  }) => boolean,
): string[] => [...TERM_VARIANTS].flatMap(([status, wordings]) => (wordings.some(matchesWording) ? [status] : []));

const termIn = ({ event, prefixes }: Pick<Entry, 'event' | 'prefixes'>, name: string, vocabulary: Vocabulary): string =>
  bareWord(textOf(event[name]) ?? '', vocabulary, prefixes);

const EVENT_TYPES: ReadonlySet<string> = new Set(
  ['Object', 'Aggregation', 'Transaction', 'Transformation', 'Association'].map((kind) => `${kind}Event`),
);

function expectAllowed(field: string, values: Values, allowed: ReadonlySet<string>): ReadonlySet<string> {
  const requestedValues = listOf(values);
  return requestedValues.every((one) => allowed.has(one))
    ? new Set(requestedValues)
    : throwInvalid(field, 'INVALID_VALUE', { allowed: [...allowed].join(', ') });
}

function termsOf(field: string, values: Values, vocabulary: Vocabulary): ReadonlySet<string> {
  return new Set(
    listOf(values).map((value) => {
      const word = bareWord(value, vocabulary, DEFAULT_PREFIXES);
      return vocabulary.words.has(word) || isUri(word)
        ? word
        : throwInvalid(field, 'INVALID_VALUE', { allowed: [...vocabulary.words].join(', ') });
    }),
  );
}

/** Encodes a cursor as the token of the next page. */
export const tokenOf = ({ instant, id, skip }: Cursor): string =>
  Buffer.from(JSON.stringify([instant, id, skip ?? null])).toString('base64url');

/** Throws INVALID_INPUT. Also reads the tokens of earlier versions, with `true` in place of 1 and `false` of null. */
export function cursorOf(field: string, token: string): Cursor {
  const [, instant, id, skip] =
    /^\["([0-9TZ:.-]{30})","([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",(true|false|null|\d{1,5})\]$/.exec(
      Buffer.from(token, 'base64url').toString(),
    ) ?? throwInvalid(field, 'INVALID_VALUE', { allowed: 'nextPageToken' });
  const skipped =
    { true: 1, false: undefined, null: undefined }[skip!] ?? (/^\d/.test(skip!) ? Number(skip) : undefined);
  return { instant: instant!, id: id!, ...(skipped !== undefined && { skip: skipped }) };
}
