/**
 * Events whose CBV 2.0 hashes are published: those of 22 documents in the tests of the reference implementation
 * (https://github.com/RalphTro/epcis-event-hash-generator, tests/examples/expected/CBV2.0), told in words of our own.
 */
import { EVERYTHING } from './everything.js';
import { PLAIN } from './plain.js';
import { SENSORS } from './sensors.js';
import { VARIOUS } from './various.js';
import type { Published } from './words.js';

export const PUBLISHED: Published = { ...PLAIN, epcisDocWithVariousEventTypes: VARIOUS, ...SENSORS, ...EVERYTHING };
