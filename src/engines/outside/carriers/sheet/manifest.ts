/** The hand-over list of a business that is its own carrier. The service prints it, and nothing is sent. */
import { MissingFont } from '../../../printing/missing-font.js';
import { writeManifest } from '../../../label-printing/write-manifest.js';
import type { Outcome } from '../../adapter.js';
import type { CarrierCall, CarrierEffect, ManifestRequest, ManifestResult } from '../port.js';
import type { SheetSettings } from './settings.js';

/** Number of characters of the reference. */
const REFERENCE_LENGTH = 12;

/** The reference of the key of a call: the same for each repetition. */
const referenceOf = (key: string): string => key.replaceAll('-', '').slice(0, REFERENCE_LENGTH).toUpperCase();

async function listOf(
  { settings }: CarrierCall,
  key: string,
  { ship_date, labels }: ManifestRequest,
): Promise<Outcome<ManifestResult>> {
  const { carrier_name: carrier } = settings as SheetSettings;
  const reference = referenceOf(key);
  try {
    const bytes = await writeManifest({ carrier, reference, ship_date, labels });
    return { is: 'done', result: { reference, document: { format: 'pdf', bytes }, refused: [] } };
  } catch (error) {
    if (error instanceof MissingFont) return { is: 'not_done', code: 'NOT_PRINTABLE', final: true };
    throw error;
  }
}

export const sheetManifest: CarrierEffect<ManifestRequest, ManifestResult> = {
  dedupe: 'key',
  act: listOf,
  // A repetition prints the same list.
  look: (call, key, request) =>
    request ? listOf(call, key, request) : Promise.resolve({ is: 'unknown', cause: 'no_request' }),
};
