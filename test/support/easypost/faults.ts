/**
 * Faults on demand. A shipment names its own fault in the company of the recipient: `fault:<fault>@<operation>`, or with
 * a number `fault:<fault>@<operation>:<number>`. A test may also order faults for the next calls of an operation.
 */
export const OPERATIONS = ['rate', 'create', 'buy', 'read', 'refund', 'scan_form', 'label', 'track'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const FAULTS = [
  /** Status 500, without an action. */
  '500_before',
  /** Acts, then status 500. */
  '500_after',
  /** Acts, and responds after `number` milliseconds. */
  'slow',
  /** Resets the connection, without an action. */
  'reset_before',
  /** Acts, then resets the connection. */
  'reset_after',
  /** Acts, then status 200 with half of the JSON. */
  'broken',
  /** Handles the request twice, and responds with the second response. */
  'twice',
  /** Status 422: the carrier declines. */
  'declined',
  /** As `declined`, for each call. */
  'declined_always',
  /** Status 402. */
  'unpaid',
  /** Status 429. */
  'limited',
  /** Status 500 at once, and acts within the next `number` milliseconds. */
  'in_progress',
  /** Rates of a shipment for a purchase are `number` percent higher. */
  'price',
  /** Kills the process that the test named: before the action, before the response, right after the response. */
  'kill_before',
  'kill_after',
  'kill_responded',
] as const;
export type FaultName = (typeof FAULTS)[number];

export interface Fault {
  readonly fault: FaultName;
  readonly operation: Operation;
  readonly number: number;
}

const PATTERN = new RegExp(`^fault:(${FAULTS.join('|')})@(${OPERATIONS.join('|')})(?::(\\d{1,6}))?$`);

/** The fault that the company of a recipient names. */
export function faultIn(company: unknown): Fault | undefined {
  const [, fault, operation, number = '0'] = PATTERN.exec(typeof company === 'string' ? company : '') ?? [];
  return fault === undefined
    ? undefined
    : { fault: fault as FaultName, operation: operation as Operation, number: Number(number) };
}

/** Text for the company of a recipient. */
export const faultText = (fault: FaultName, operation: Operation, number?: number): string =>
  `fault:${fault}@${operation}${number === undefined ? '' : `:${number}`}`;
