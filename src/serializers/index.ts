/** The registry of formats. A new format is one file beside this one and one line here. */
import { epcis } from './epcis.js';
import type { Format } from './format.js';
import { otep } from './otep.js';

export const FORMATS: readonly Format[] = [otep, epcis];

export const formatNames = (formats: readonly Format[] = FORMATS): string[] => formats.map((format) => format.name);
