/** Checks for parts of EPCIS 2.0.1 events. */
import { boolean, listOf, matching, number, recordOf, termOf, text, time, uri } from './checks.js';
import type { JsonRecord } from './records.js';
import {
  BIZ_STEPS,
  DISPOSITIONS,
  MEASUREMENTS,
  PARTY_TYPES,
  SENSOR_COMPONENTS,
  SENSOR_EXCEPTIONS,
  TRANSACTION_TYPES,
} from './vocabulary.js';

export const has = (value: JsonRecord, name: string): boolean => Object.hasOwn(value, name);

/**
 * Matches full URIs of standard terms. A term that has a bare word must be written as that word, not as an EPCIS 1 URN
 * or an old web address.
 */
export const CBV_IN_FULL = /^(?:urn:epcglobal:cbv|https?:\/\/ns\.gs1\.org\/cbv\/)/;
const GS1_IN_FULL = /^https?:\/\/(?:www\.)?gs1\.org\/voc\//;

export const bizStep = termOf(BIZ_STEPS, CBV_IN_FULL);
export const disposition = termOf(DISPOSITIONS, CBV_IN_FULL);
export const partyType = termOf(PARTY_TYPES, CBV_IN_FULL);
export const place = recordOf({ id: uri }, { required: ['id'], others: 'any' });

export const quantities = listOf(
  recordOf(
    { epcClass: uri, quantity: number, uom: matching(/^[A-Z0-9]{2,3}$/) },
    { required: ['epcClass'], others: 'none' },
  ),
);
export const transaction = recordOf(
  { type: termOf(TRANSACTION_TYPES, CBV_IN_FULL), bizTransaction: uri },
  { required: ['bizTransaction'], others: 'none' },
);

export const persistentDisposition = recordOf(
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
export const sensorElement = recordOf(
  {
    sensorMetadata: recordOf({ ...sensorSource, startTime: time, endTime: time }, { others: 'uris' }),
    sensorReport: listOf(sensorReport, { min: 1 }),
  },
  { required: ['sensorReport'], others: 'uris' },
);
