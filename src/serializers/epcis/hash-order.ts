/** The canonical order of an event's members, and the orders that other software uses. */
import {
  BIZ_STEP,
  COMPONENT,
  DISPOSITION,
  MEASUREMENT,
  PARTY_TYPE,
  SENSOR_EXCEPTION,
  TRANSACTION_TYPE,
} from './names.js';
import { list, ownMembers, record, term, text, time, uri, type Order, type MemberWriter } from './hash-text.js';

const place = record([['id', uri]]);
const quantities = list(
  'quantityElement',
  record([
    ['epcClass', uri],
    ['quantity', text],
    ['uom', text],
  ]),
);
const epcs = list('epc', uri);

const metadata = record([
  ['time', time],
  ['startTime', time],
  ['endTime', time],
  ['deviceID', uri],
  ['deviceMetadata', uri],
  ['rawData', uri],
  ['dataProcessingMethod', uri],
  ['bizRules', uri],
]);

const report = record([
  ['type', term(MEASUREMENT)],
  ['exception', term(SENSOR_EXCEPTION)],
  ['deviceID', uri],
  ['deviceMetadata', uri],
  ['rawData', uri],
  ['dataProcessingMethod', uri],
  ['time', time],
  ['microorganism', uri],
  ['chemicalSubstance', uri],
  ['value', text],
  ['component', term(COMPONENT)],
  ['stringValue', text],
  ['booleanValue', text],
  ['hexBinaryValue', text],
  ['uriValue', uri],
  ['minValue', text],
  ['maxValue', text],
  ['meanValue', text],
  ['sDev', text],
  ['percRank', text],
  ['percValue', text],
  ['uom', text],
  ['coordinateReferenceSystem', uri],
]);

export const EVENT: Order = new Map<string, MemberWriter>([
  ['eventTime', time],
  ['eventTimeZoneOffset', text],
  ['certificationInfo', uri],
  ['epcList', epcs],
  ['parentID', uri],
  ['inputEPCList', epcs],
  ['childEPCs', epcs],
  ['quantityList', quantities],
  ['childQuantityList', quantities],
  ['inputQuantityList', quantities],
  ['outputEPCList', epcs],
  ['outputQuantityList', quantities],
  ['action', text],
  ['transformationID', uri],
  ['bizStep', term(BIZ_STEP)],
  ['disposition', term(DISPOSITION)],
  [
    'persistentDisposition',
    record([
      ['set', term(DISPOSITION)],
      ['unset', term(DISPOSITION)],
    ]),
  ],
  ['readPoint', place],
  ['bizLocation', place],
  [
    'bizTransactionList',
    list(
      '',
      record([
        ['type', term(TRANSACTION_TYPE)],
        ['bizTransaction', uri],
      ]),
    ),
  ],
  [
    'sourceList',
    list(
      '',
      record([
        ['type', term(PARTY_TYPE)],
        ['source', uri],
      ]),
    ),
  ],
  [
    'destinationList',
    list(
      '',
      record([
        ['type', term(PARTY_TYPE)],
        ['destination', uri],
      ]),
    ),
  ],
  [
    'sensorElementList',
    list(
      'sensorElement',
      record([
        ['sensorMetadata', metadata],
        ['sensorReport', report],
      ]),
      '2.1',
    ),
  ],
  ['ilmd', ownMembers],
]);

const SILENT: MemberWriter = () => '';
/** Canonical order without certificates. */
export const UNCERTIFIED: Order = new Map(EVENT).set('certificationInfo', SILENT);
/** Canonical order with `sourceList` after `destinationList`. */
export const DESTINATIONS_FIRST: Order = new Map(
  [...EVENT].flatMap((entry): [string, MemberWriter][] => {
    if (entry[0] === 'sourceList') return [];
    return entry[0] === 'destinationList' ? [entry, ['sourceList', EVENT.get('sourceList')!]] : [entry];
  }),
);
