/** `npm run fingerprints`: records the schemas of new event types and of raised versions; rejects any other change. */
import { writeFileSync } from 'node:fs';
import { EVENT_TYPES } from '../../src/areas/index.js';
import {
  FINGERPRINTS_FILE,
  fingerprintsOf,
  formatFingerprints,
  compareFingerprints,
  readFingerprints,
} from '../support/checks/event-fingerprints.js';

const current = fingerprintsOf(EVENT_TYPES.values());
const { unrecorded, refused } = compareFingerprints(readFingerprints(), current);
if (refused.length > 0) {
  for (const sentence of refused) console.error(sentence);
  process.exit(1);
}
writeFileSync(FINGERPRINTS_FILE, formatFingerprints(current));
console.log(
  `${FINGERPRINTS_FILE}: ${unrecorded.length === 0 ? 'nothing to record' : `recorded ${unrecorded.join(', ')}`}`,
);
