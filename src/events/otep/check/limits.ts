import { MAX_CODE_LENGTH } from '../codes.js';

/** Size limits of an event. Lengths are in UTF-16 code units; the protocol does not define them. */
export const LIMITS = {
  trackingNumber: 64,
  identifier: 256,
  eventId: 256,
  /** Status and reason codes with their prefix, location codes, raw codes. */
  code: MAX_CODE_LENGTH,
  /** Names of places and parties, cities, regions, source references. */
  name: 200,
  postalCode: 20,
  /** Descriptions, raw texts and reason texts. */
  text: 1000,
  url: 2000,
  extensions: 32,
  extensionName: 64,
  /**
   * UTF-8 bytes of all extension fields of an event, as JSON. Content of events in other formats is stored in such a
   * field, and sensor data is large.
   */
  extensionBytes: 65_536,
  /** Maximum nesting depth of an extension field's value. */
  depth: 16,
  hoursAhead: 24,
} as const;
