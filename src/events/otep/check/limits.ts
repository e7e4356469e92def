/** The limits of what an event may carry. Lengths are UTF-16 code units; the protocol leaves them open. */
export const LIMITS = {
  trackingNumber: 64,
  identifier: 256,
  eventId: 256,
  /** Status and reason codes with their prefix, location codes, raw codes. */
  code: 128,
  /** Names of places and parties, cities, regions, source references. */
  name: 200,
  postalCode: 20,
  /** Descriptions, raw texts and reason texts. */
  text: 1000,
  url: 2000,
  extensions: 32,
  extensionName: 64,
  /**
   * UTF-8 bytes of all extension fields of an event, as JSON. What a foreign event says travels as one of them: sensors
   * say much.
   */
  extensionBytes: 65_536,
  /** Nesting of an extension field's value. */
  depth: 16,
  hoursAhead: 24,
} as const;
