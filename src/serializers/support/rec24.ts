/**
 * UN/ECE Recommendation 24 as linked data: the code list that ONE Record, UN/CEFACT and SensorThings documents
 * reference.
 */
import { STATUS_CODES } from '../../events/otep/codes.js';

export const UNECE = 'https://vocabulary.uncefact.org/';
export const REC24_LIST = `${UNECE}LogisticsStatusCodeList`;

const iris = new Map<string, string>(STATUS_CODES.map((row) => [row.code, `${REC24_LIST}#${row.rec24}`]));

/** Returns the Rec 24 IRI of a registered status code; undefined for an experimental code. */
export const rec24Iri = (status: string): string | undefined => iris.get(status);
