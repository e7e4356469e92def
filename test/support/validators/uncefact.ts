/**
 * Checks the D23B status report against its official JSON Schema, and the linked data against the official context and
 * code list.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Quad } from 'n3';
import { OTEP_TERMS } from '../../../src/serializers/support/members.js';
import { quadsOf } from './jsonld.js';
import { officialJson } from './official.js';

const SCHEMA = 'uncefact/UNECE-MultimodalTransportConsignmentStatusReport.D23B.snapshot.json';
const CONTEXT = 'uncefact/unece-context.jsonld';
const REC24 = 'uncefact/rec24.json';
export const UNCEFACT_FILES = [SCHEMA, CONTEXT, REC24];

const UNECE = 'https://vocabulary.uncefact.org/';
/** Any address works, because the loader of the test handles it. */
const ADDRESS = `${UNECE}context`;
const CODE_LIST = `${UNECE}LogisticsStatusCodeList#`;

type Json = Record<string, unknown>;

const rec24Codes = () => new Set((officialJson(REC24) as { code: string }[]).map((row) => row.code));

/** Returns a validator. It returns everything that the schema or its code list does not allow. */
export function statusReportValidator(): (document: unknown) => string[] {
  // The schema has annotations without types, which strict mode rejects. Its lists of a thousand constants overflow the
  // stack of the compiler.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(constantsToEnum(officialJson(SCHEMA)) as Json);
  const known = rec24Codes();
  return (document) => {
    if (!validate(document)) return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    return codesOf(document)
      .filter((code) => !known.has(code))
      .map((code) => `${code} is not a code of Rec 24`);
  };
}

/** Converts `oneOf: [{const: a}, {const: b}]` to `enum: [a, b]`. */
function constantsToEnum(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(constantsToEnum);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { oneOf, ...rest } = schema as Json;
  const constants =
    Array.isArray(oneOf) && oneOf.every((one: Json) => 'const' in one)
      ? oneOf.map((one: Json) => one.const)
      : undefined;
  const usedSchema = constants ? rest : (schema as Json);
  const copy = Object.fromEntries(Object.entries(usedSchema).map(([key, value]) => [key, constantsToEnum(value)]));
  return constants ? { ...copy, enum: constants } : copy;
}

/** Returns the contents of typeCode, conditionCode and reasonCode of events and statuses. */
function codesOf(document: unknown): string[] {
  const consignments = (
    document as { specifiedConsignment: { transportEvent: Json[]; reportedLogisticsStatus: Json[] }[] }
  ).specifiedConsignment;
  return consignments
    .flatMap(({ transportEvent, reportedLogisticsStatus }) => [
      ...transportEvent.map((event) => event.typeCode),
      ...reportedLogisticsStatus.flatMap((status) => [
        status.conditionCode,
        ...((status.reasonCode as Json[] | undefined) ?? []),
      ]),
    ])
    .flatMap((code) => (code === undefined ? [] : [(code as { content: string }).content]));
}

/**
 * Returns a validator. It returns every term that the vocabulary does not contain, or defines differently than the
 * document's own context.
 */
export function linkedDataValidator(): (document: unknown) => Promise<string[]> {
  const official = (officialJson(CONTEXT) as { '@context': Record<string, unknown> })['@context'];
  const known = rec24Codes();
  const terms = new Set(Object.values(official).map((term) => String((term as Json)['@id']).replace('unece:', UNECE)));
  const quadErrors = ({ predicate, object }: Quad): string[] => {
    const errors: string[] = [];
    for (const { value } of [predicate, object]) {
      if (value.startsWith(CODE_LIST)) {
        if (!known.has(value.slice(CODE_LIST.length))) errors.push(`${value} is not a code of Rec 24`);
      } else if (value.startsWith(UNECE) && !terms.has(value)) errors.push(`unknown term ${value}`);
    }
    if (predicate.value === `${UNECE}reportedConditionTypeCode` && !object.value.startsWith(CODE_LIST))
      errors.push(`${object.value} is not the IRI of a code`);
    return errors;
  };
  return async (document) => {
    const { '@context': own, ...rest } = document as { '@context': Record<string, unknown> };
    const differing = Object.keys(own).filter(
      (term) => term !== 'otep' && JSON.stringify(own[term]) !== JSON.stringify(official[term]),
    );
    try {
      const quads = await quadsOf(document);
      const published = await quadsOf(
        { '@context': [ADDRESS, { otep: OTEP_TERMS }], ...rest },
        { [ADDRESS]: { '@context': official } },
      );
      const same = asText(quads) === asText(published);
      return [
        ...differing.map((term) => `${term} is not defined as in the published context`),
        ...quads.flatMap(quadErrors),
        ...(same ? [] : ['the published context gives another graph']),
      ];
    } catch (error) {
      return [`not JSON-LD: ${String(error)}`];
    }
  };
}

/** Blank nodes are numbered in document order, so two conversions of one document are equal. */
const asText = (quads: readonly Quad[]): string =>
  quads
    .map(({ subject, predicate, object }) =>
      [subject, predicate, object].map((term) => (term.termType === 'BlankNode' ? '_' : term.id)).join(' '),
    )
    .sort()
    .join('\n');
