/** The parameters of an EPCIS event query as what they ask for. Source: EPCIS 2.0, section 8.2.7 (SimpleEventQuery). */
import { readSubject } from '../../../events/otep/check/subject.js';
import type { Subject } from '../../../events/otep/model.js';
import { INCIDENT_REASONS } from '../../../events/otep/reasons.js';
import { instantOf, type Instant } from '../../../events/otep/time.js';
import type { Candidates, Cursor } from '../../../projections/captures/epcis-queries.js';
import { DEFAULT_PREFIXES } from '../../../serializers/epcis/context.js';
import { subjectOf } from '../../../serializers/epcis/identifiers.js';
import { FOREIGN, WORDINGS } from '../../../serializers/epcis/mapping.js';
import { bareWord, BIZ_STEP, DISPOSITION, type Vocabulary } from '../../../serializers/epcis/names.js';
import { textOf, type JsonRecord } from '../../../serializers/epcis/records.js';
import { isUri } from '../../../serializers/epcis/uri.js';
import { ACTIONS, BIZ_STEPS } from '../../../serializers/epcis/vocabulary.js';
import { ApiError } from '../../core/errors.js';

/** One value, several by repeating the parameter, or several with `|` between them. */
export type Values = string | readonly string[];

const listOf = (values: Values): string[] => [...new Set([values].flat().flatMap((value) => value.split('|')))];

function refuse(field: string, code: string, params?: Record<string, string>): never {
  throw new ApiError('INVALID_INPUT', { errors: [{ field, path: '', code, ...(params && { params }) }] });
}

/** The parcels that any of the EPCs names. */
export function parcelsOf(field: string, values: Values): Subject[] {
  return listOf(values).flatMap((epc) => {
    // Nothing would be found by a pattern, which must not look like an answer.
    if (!isUri(epc) || /^urn:epc:(?:idpat|pat):/i.test(epc))
      refuse(field, 'INVALID_VALUE', { allowed: 'EPC URN, Digital Link; no urn:epc:idpat' });
    return readSubject(subjectOf(epc), { path: '' }).subject ?? [];
  });
}

export function momentOf(field: string, value: string): Instant {
  return instantOf(value) ?? refuse(field, 'INVALID_TIME');
}

/** Stored ids, which our own event ids are made of, and ids of the producers. */
export function eventIdsOf(values: Values): { readonly stored: readonly string[]; readonly given: readonly string[] } {
  const given = listOf(values);
  return {
    given,
    stored: given.flatMap(
      (id) => /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(id)?.[1]?.toLowerCase() ?? [],
    ),
  };
}

/** What an event must say, and by what it is looked for. */
export interface Wanted {
  /** Absent: any event may be it. */
  readonly candidates?: Candidates;
  readonly holds: (event: JsonRecord) => boolean;
}

export function stepWanted(field: string, values: Values): Wanted {
  const words = wordsOf(field, values, BIZ_STEP);
  return {
    candidates: {
      statuses: [...statusesSaid(({ bizStep }) => words.has(bizStep)), ...[...words].map((word) => FOREIGN + word)],
      ...(words.has('other') && { statusPrefixes: ['x-'] }),
      raws: [...words],
    },
    holds: (event) => words.has(wordIn(event, 'bizStep', BIZ_STEP)),
  };
}

/** Events of our own are ObjectEvents. */
export function typeWanted(field: string, values: Values): Wanted {
  const types = oneOf(field, values, EVENT_TYPES);
  return {
    ...(!types.has('ObjectEvent') && { candidates: { statuses: [], ...ANY_FOREIGN } }),
    holds: (event) => types.has(textOf(event['type']) ?? ''),
  };
}

export function actionWanted(field: string, values: Values): Wanted {
  const actions = oneOf(field, values, ACTIONS);
  return {
    candidates: { statuses: statusesSaid(({ action }) => actions.has(action)), ...ANY_FOREIGN },
    holds: (event) => actions.has(textOf(event['action']) ?? ''),
  };
}

/** What a foreign event says beside its step is sealed, so all of them are looked at. */
const ANY_FOREIGN = { statusPrefixes: [FOREIGN], raws: [...BIZ_STEPS], uriRaws: true };

export function dispositionWanted(field: string, values: Values): Wanted {
  const words = wordsOf(field, values, DISPOSITION);
  return {
    candidates: {
      statuses: statusesSaid(({ disposition }) => disposition !== undefined && words.has(disposition)),
      reasons: INCIDENT_REASONS.filter(({ disposition }) => disposition !== null && words.has(disposition)).map(
        ({ code }) => code,
      ),
      ...ANY_FOREIGN,
    },
    holds: (event) => words.has(wordIn(event, 'disposition', DISPOSITION)),
  };
}

const statusesSaid = (
  says: (words: { readonly action: string; readonly bizStep: string; readonly disposition?: string }) => boolean,
): string[] => [...WORDINGS].flatMap(([status, wordings]) => (wordings.some(says) ? [status] : []));

const wordIn = (event: JsonRecord, name: string, vocabulary: Vocabulary): string =>
  bareWord(textOf(event[name]) ?? '', vocabulary, DEFAULT_PREFIXES);

const EVENT_TYPES: ReadonlySet<string> = new Set(
  ['Object', 'Aggregation', 'Transaction', 'Transformation', 'Association'].map((kind) => `${kind}Event`),
);

function oneOf(field: string, values: Values, known: ReadonlySet<string>): ReadonlySet<string> {
  const said = listOf(values);
  return said.every((one) => known.has(one))
    ? new Set(said)
    : refuse(field, 'INVALID_VALUE', { allowed: [...known].join(', ') });
}

function wordsOf(field: string, values: Values, vocabulary: Vocabulary): ReadonlySet<string> {
  return new Set(
    listOf(values).map((value) => {
      const word = bareWord(value, vocabulary, DEFAULT_PREFIXES);
      return vocabulary.words.has(word) || isUri(word)
        ? word
        : refuse(field, 'INVALID_VALUE', { allowed: [...vocabulary.words].join(', ') });
    }),
  );
}

/** A cursor as a client carries it from page to page. */
export const tokenOf = ({ instant, id, inclusive }: Cursor): string =>
  Buffer.from(JSON.stringify([instant, id, inclusive])).toString('base64url');

export function cursorOf(field: string, token: string): Cursor {
  const [, instant, id, inclusive] =
    /^\["([0-9TZ:.-]{30})","([0-9a-f-]{36})",(true|false)\]$/.exec(Buffer.from(token, 'base64url').toString()) ??
    refuse(field, 'INVALID_VALUE', { allowed: 'nextPageToken' });
  return { instant: instant!, id: id!, inclusive: inclusive === 'true' };
}
