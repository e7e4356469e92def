/** The registry of formats. A new format is one file beside this one and one line here. */
import type { Format } from './format.js';
import { onerecord } from './onerecord.js';
import { otep } from './otep.js';
import { otlp } from './otlp.js';
import { sensorthings } from './sensorthings.js';
import { uncefact } from './uncefact.js';

export const FORMATS: readonly Format[] = [
  otep,
  onerecord,
  uncefact,
  otlp,
  sensorthings,
];

export const formatNames = (formats: readonly Format[] = FORMATS): string[] => formats.map((format) => format.name);
