/** Checks an EPCIS document outside its events, with the same result as the ratified JSON Schema. */
import { anything, either, listOf, matching, number, recordOf, text, time, uri, type Check } from './checks.js';
import { context } from './event-schema.js';
import type { Issue } from './reading.js';
import { isRecord } from './records.js';

const attribute = either((value) => typeof value === 'string' || isRecord(value), anything, number);
const vocabularyElement = recordOf(
  {
    id: uri,
    attributes: listOf(recordOf({ id: uri, attribute }, { required: ['id'], others: 'any' })),
    children: listOf(uri),
  },
  { required: ['id'], others: 'any' },
);
const vocabularyList = listOf(
  recordOf({ type: uri, vocabularyElementList: listOf(vocabularyElement) }, { required: ['type'], others: 'any' }),
);

/** The events are checked separately, one by one. */
const eventList = listOf(anything);
const document = {
  '@context': context,
  type: anything,
  id: uri,
  schemaVersion: matching(/^\d+(\.\d+)*$/),
  creationDate: time,
};

const epcisDocument = recordOf(
  {
    ...document,
    instanceIdentifier: text,
    sender: text,
    receiver: text,
    epcisHeader: recordOf({ epcisMasterData: recordOf({ vocabularyList }, { others: 'any' }) }, { others: 'uris' }),
    epcisBody: recordOf({ eventList }, { required: ['eventList'], others: 'any' }),
  },
  { required: ['@context', 'schemaVersion', 'creationDate', 'epcisBody'], others: 'uris' },
);

const queryResults = recordOf(
  {
    queryName: text,
    subscriptionID: text,
    resultsBody: recordOf({ eventList, vocabularyList }, { required: ['eventList'], others: 'uris' }),
  },
  { required: ['queryName', 'resultsBody'], others: 'uris' },
);

const epcisQueryDocument = recordOf(
  { ...document, epcisBody: recordOf({ queryResults }, { required: ['queryResults'], others: 'uris' }) },
  { required: ['@context', 'epcisBody'], others: 'uris' },
);

const contextOfBareEvent = recordOf({}, { required: ['@context'], others: 'any' });

const found =
  (check: Check) =>
  (value: unknown): Issue[] => {
    const issues: Issue[] = [];
    check(value, '', issues);
    return issues;
  };

/** Returns all issues of the document outside its events. */
export const checkDocument = found(epcisDocument);
export const checkQueryDocument = found(epcisQueryDocument);
/** Checks that a single event has its own `@context`. */
export const checkBareEvent = found(contextOfBareEvent);
