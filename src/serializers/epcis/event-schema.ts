/**
 * What an EPCIS 2.0.1 event must look like: the judgement of the ratified JSON Schema, with exact places and stable
 * codes.
 */
import {
  anything,
  boolean,
  either,
  listOf,
  matching,
  number,
  recordOf,
  termOf,
  text,
  time,
  uri,
  wordOf,
  zoneOffset,
  type Check,
} from './checks.js';
import type { Issue } from './reading.js';
import { isRecord, type JsonRecord } from './records.js';
import {
  ACTIONS,
  BIZ_STEPS,
  DISPOSITIONS,
  ERROR_REASONS,
  MEASUREMENTS,
  PARTY_TYPES,
  SENSOR_COMPONENTS,
  SENSOR_EXCEPTIONS,
  TRANSACTION_TYPES,
} from './vocabulary.js';

/** Terms that have a bare word must be written as it: neither as EPCIS 1 wrote them nor by an old address. */
const CBV_IN_FULL = /^(?:urn:epcglobal:cbv|https?:\/\/ns\.gs1\.org\/cbv\/)/;
const GS1_IN_FULL = /^https?:\/\/(?:www\.)?gs1\.org\/voc\//;

const bizStep = termOf(BIZ_STEPS, CBV_IN_FULL);
const disposition = termOf(DISPOSITIONS, CBV_IN_FULL);
const partyType = termOf(PARTY_TYPES, CBV_IN_FULL);
const place = recordOf({ id: uri }, { required: ['id'], others: 'any' });

const quantities = listOf(
  recordOf(
    { epcClass: uri, quantity: number, uom: matching(/^[A-Z0-9]{2,3}$/) },
    { required: ['epcClass'], others: 'none' },
  ),
);
const transaction = recordOf(
  { type: termOf(TRANSACTION_TYPES, CBV_IN_FULL), bizTransaction: uri },
  { required: ['bizTransaction'], others: 'none' },
);

const persistentDisposition = recordOf(
  { set: listOf(disposition, { min: 1, unique: true }), unset: listOf(disposition, { min: 1, unique: true }) },
  {
    others: 'none',
    rule: (value, at, issues) =>
      void (
        has(value, 'set') ||
        has(value, 'unset') ||
        issues.push({ code: 'REQUIRED', path: at, message: 'set or unset is required' })
      ),
  },
);

const sensorSource = {
  deviceID: uri,
  deviceMetadata: uri,
  rawData: uri,
  dataProcessingMethod: uri,
  bizRules: uri,
  time,
};
const sensorReport = recordOf(
  {
    ...sensorSource,
    type: termOf(MEASUREMENTS, GS1_IN_FULL),
    exception: termOf(SENSOR_EXCEPTIONS, GS1_IN_FULL),
    component: termOf(SENSOR_COMPONENTS, CBV_IN_FULL),
    microorganism: uri,
    chemicalSubstance: uri,
    coordinateReferenceSystem: uri,
    uriValue: uri,
    stringValue: text,
    booleanValue: boolean,
    hexBinaryValue: matching(/^[A-Fa-f0-9]+$/),
    value: number,
    minValue: number,
    maxValue: number,
    meanValue: number,
    sDev: number,
    percRank: number,
    percValue: number,
    uom: text,
  },
  { required: ['type'], others: 'uris' },
);
const sensorElement = recordOf(
  {
    sensorMetadata: recordOf({ ...sensorSource, startTime: time, endTime: time }, { others: 'uris' }),
    sensorReport: listOf(sensorReport, { min: 1 }),
  },
  { required: ['sensorReport'], others: 'uris' },
);

export const context: Check = either(
  Array.isArray,
  listOf(either(isRecord, anything, uri), { unique: true }),
  either(isRecord, anything, uri),
);

/** What every event has, extension events of other people included. */
const event = {
  '@context': context,
  type: uri,
  eventTime: time,
  recordTime: time,
  eventTimeZoneOffset: zoneOffset,
  eventID: uri,
  certificationInfo: either(Array.isArray, listOf(uri), uri),
  errorDeclaration: recordOf(
    { declarationTime: time, reason: termOf(ERROR_REASONS, CBV_IN_FULL), correctiveEventIDs: listOf(uri) },
    { required: ['declarationTime'], others: 'uris' },
  ),
};

/** What the five events of the standard have besides. */
const business = {
  ...event,
  type: anything,
  action: wordOf(ACTIONS),
  bizStep,
  disposition,
  readPoint: place,
  bizLocation: place,
  bizTransactionList: listOf(transaction),
  sourceList: listOf(recordOf({ type: partyType, source: uri }, { required: ['type', 'source'], others: 'none' })),
  destinationList: listOf(
    recordOf({ type: partyType, destination: uri }, { required: ['type', 'destination'], others: 'none' }),
  ),
  sensorElementList: listOf(sensorElement),
};

const has = (value: JsonRecord, name: string): boolean => Object.hasOwn(value, name);
const some = (value: JsonRecord, name: string): boolean => Array.isArray(value[name]) && value[name].length > 0;

const nothingObserved = (issues: Issue[], at: string, needed: string): void =>
  void issues.push({ code: 'NOTHING_OBSERVED', path: at, message: `${needed} is required` });

/** An event without anything that it is about must at least end the life of it (DELETE), where its type allows that. */
const children = (value: JsonRecord, at: string, issues: Issue[]): void => {
  if (!some(value, 'childEPCs') && !some(value, 'childQuantityList') && value['action'] !== 'DELETE')
    nothingObserved(issues, at, 'childEPCs or childQuantityList');
};

const TIMES = ['type', 'eventTime', 'eventTimeZoneOffset'];
const epcs = listOf(uri, { unique: true });
// The schema lets these two name a persistentDisposition, but does not look at it.
const unjudged = anything;

const objectEvent = recordOf(
  {
    ...business,
    epcList: epcs,
    quantityList: quantities,
    persistentDisposition,
    ilmd: recordOf({}, { others: 'uris' }),
  },
  {
    required: [...TIMES, 'action'],
    others: 'uris',
    rule: (value, at, issues) => {
      if (
        !has(value, 'epcList') &&
        !some(value, 'quantityList') &&
        !(some(value, 'sensorElementList') && has(value, 'readPoint'))
      ) {
        nothingObserved(issues, at, 'epcList, quantityList, or sensorElementList with readPoint');
      }
      if (has(value, 'ilmd') && value['action'] !== 'ADD')
        issues.push({ code: 'ILMD_WITHOUT_ADD', path: `${at}/ilmd`, message: 'ilmd is for the action ADD only' });
    },
  },
);

const aggregation = {
  ...business,
  parentID: uri,
  childEPCs: listOf(uri),
  childQuantityList: quantities,
  persistentDisposition: unjudged,
};
const aggregationEvent = recordOf(aggregation, { required: [...TIMES, 'action'], others: 'uris', rule: children });
const associationEvent = recordOf(aggregation, {
  required: [...TIMES, 'action', 'parentID'],
  others: 'uris',
  rule: children,
});

const transactionEvent = recordOf(
  {
    ...business,
    parentID: uri,
    epcList: listOf(uri),
    quantityList: quantities,
    persistentDisposition: unjudged,
    bizTransactionList: listOf(transaction, { min: 1 }),
  },
  {
    required: [...TIMES, 'action', 'bizTransactionList'],
    others: 'uris',
    rule: (value, at, issues) => {
      if (!has(value, 'epcList') && !some(value, 'quantityList') && value['action'] !== 'DELETE')
        nothingObserved(issues, at, 'epcList or quantityList');
    },
  },
);

const { action: _, ...withoutAction } = business;
const transformationEvent = recordOf(
  {
    ...withoutAction,
    inputEPCList: epcs,
    inputQuantityList: quantities,
    outputEPCList: epcs,
    outputQuantityList: quantities,
    transformationID: uri,
    persistentDisposition,
    ilmd: recordOf({}, { others: 'uris' }),
  },
  {
    required: TIMES,
    others: 'uris',
    rule: (value, at, issues) => {
      const [input, output] = [
        some(value, 'inputEPCList') || some(value, 'inputQuantityList'),
        some(value, 'outputEPCList') || some(value, 'outputQuantityList'),
      ];
      if (!(input && output) && !(has(value, 'transformationID') && (input || output)))
        nothingObserved(issues, at, 'input and output, or transformationID with one of them,');
    },
  },
);

const EVENTS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  ['ObjectEvent', objectEvent],
  ['AggregationEvent', aggregationEvent],
  ['AssociationEvent', associationEvent],
  ['TransactionEvent', transactionEvent],
  ['TransformationEvent', transformationEvent],
]);

/** An event of somebody else's type: named by a URI, and only its frame is known. */
const extensionEvent = recordOf(event, { required: TIMES, others: 'any' });

/** Everything that is wrong with an event that stands at the JSON Pointer `at`; nothing, when it is valid. */
export function checkEvent(value: unknown, at: string): Issue[] {
  const issues: Issue[] = [];
  const check = (isRecord(value) && EVENTS.get(value['type'])) || extensionEvent;
  check(value, at, issues);
  return issues;
}
