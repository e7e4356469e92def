/**
 * Checks an EPCIS 2.0.1 event with the same result as the ratified JSON Schema, but with exact locations and stable
 * error codes.
 */
import { anything, either, listOf, recordOf, termOf, time, uri, wordOf, zoneOffset, type Check } from './checks.js';
import {
  bizStep,
  CBV_IN_FULL,
  disposition,
  has,
  partyType,
  persistentDisposition,
  place,
  quantities,
  sensorElement,
  transaction,
} from './event-parts.js';
import type { Issue } from './reading.js';
import { isRecord, type JsonRecord } from './records.js';
import { ACTIONS, ERROR_REASONS } from './vocabulary.js';

export const context: Check = either(
  Array.isArray,
  listOf(either(isRecord, anything, uri), { unique: true }),
  either(isRecord, anything, uri),
);

/** Members of every event, including extension events. */
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

/** Additional members of the five event types of the standard. */
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

const some = (value: JsonRecord, name: string): boolean => Array.isArray(value[name]) && value[name].length > 0;

const nothingObserved = (issues: Issue[], at: string, needed: string): void =>
  void issues.push({ code: 'NOTHING_OBSERVED', path: at, message: `${needed} is required` });

/** An event that names no object must have the action DELETE, if its type allows that. */
const children = (value: JsonRecord, at: string, issues: Issue[]): void => {
  if (!some(value, 'childEPCs') && !some(value, 'childQuantityList') && value['action'] !== 'DELETE')
    nothingObserved(issues, at, 'childEPCs or childQuantityList');
};

const TIMES = ['type', 'eventTime', 'eventTimeZoneOffset'];
const epcs = listOf(uri, { unique: true });
// The schema allows these two event types to have a persistentDisposition, but does not check its content.
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
        issues.push({
          code: 'ILMD_WITHOUT_ADD',
          path: `${at}/ilmd`,
          message: 'ilmd is only allowed for the action ADD',
        });
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

/** An event of a custom type, which is named by a URI. Only the common members are checked. */
const extensionEvent = recordOf(event, { required: TIMES, others: 'any' });

/** Returns all issues of the event at the JSON Pointer `at`; an empty list if the event is valid. */
export function checkEvent(value: unknown, at: string): Issue[] {
  const issues: Issue[] = [];
  const check = (isRecord(value) && EVENTS.get(value['type'])) || extensionEvent;
  check(value, at, issues);
  return issues;
}
