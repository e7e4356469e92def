/**
 * Events with published CBV 2.0 hashes: those of 22 documents in the tests of the reference implementation
 * (https://github.com/RalphTro/epcis-event-hash-generator, tests/examples/expected/CBV2.0), rewritten in TypeScript.
 */
import { EVERYTHING } from './everything.js';
import { PLAIN } from './plain.js';
import { SENSORS } from './sensors.js';
import { VARIOUS } from './various.js';
import type { Published } from './words.js';

export const PUBLISHED: Published = { ...PLAIN, epcisDocWithVariousEventTypes: VARIOUS, ...SENSORS, ...EVERYTHING };
