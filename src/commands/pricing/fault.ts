/** Faults of a rate card whose parts do not fit together. */
export const FAULT_CODES = [
  'GAP',
  'OVERLAP',
  'WRONG_ORDER',
  'UNKNOWN_ZONE',
  'UNKNOWN_SERVICE',
  'UNKNOWN_LANE',
  'UNKNOWN_OPTION',
  'UNREACHABLE_LANE',
  'DUPLICATE_CODE',
  'CROSSES_ITSELF',
  'NOT_ONE_BASE',
  'NOT_APPLICABLE',
  'INVALID_RANGE',
  'TOO_MANY_ITEMS',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

export interface CardFault {
  /** JSON Pointer into the card. */
  readonly path: string;
  readonly code: FaultCode;
  /** English; for people. */
  readonly message: string;
  /** The limit that is exceeded. */
  readonly most?: number;
}

/** A check yields faults one by one, so that the caller can stop. */
export type Faults = Iterable<CardFault>;

export const fault = (path: string, code: FaultCode, message: string, most?: number): CardFault => ({
  path,
  code,
  message,
  ...(most !== undefined && { most }),
});
