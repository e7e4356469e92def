/**
 * The registry of OTEP status codes, with one row per code. The row order breaks ties between events of one instant
 * (rule 1). The meaning of a registered code never changes; `since` is the protocol version that added it. Numbers are
 * UN/CEFACT Rec 24.
 */

/** Phases in lifecycle order, then the two outside of that order. */
export const PHASES = [
  'pre_shipment',
  'pickup',
  'inbound',
  'transit',
  'out_for_delivery',
  'delivered',
  'exception',
  'return',
] as const;
export type Phase = (typeof PHASES)[number];

export const TERMINAL_STATUSES = ['delivered', 'returned', 'rejected', 'cancelled'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export interface StatusCode {
  readonly code: string;
  readonly phase: Phase;
  /** The final status of the journey if this code ends it. */
  readonly terminal: TerminalStatus | null;
  /** UN/ECE Recommendation 24 status code. */
  readonly rec24: string;
  readonly since: string;
  /**
   * The profile that added it (conformance level 2); absent: a universal code of every profile (level 1). Version 0.1
   * has only universal codes.
   */
  readonly profile?: string;
}

const code = <Bare extends string>(
  code: Bare,
  phase: Phase,
  rec24: string,
  terminal: TerminalStatus | null = null,
  since = '0.1',
) => ({ code, phase, terminal, rec24, since }) as const satisfies StatusCode;

export const STATUS_CODES = [
  code('information_submitted', 'pre_shipment', '321'),
  code('booking_confirmed', 'pre_shipment', '6'),
  code('awaiting_pickup', 'pre_shipment', '64'),
  code('out_for_pickup', 'pickup', '64'),
  code('picked_up', 'pickup', '13'),
  code('pickup_failed', 'exception', '53'),
  code('pickup_rescheduled', 'exception', '339'),
  code('received', 'inbound', '74'),
  code('arrival_scan', 'inbound', '1'),
  code('in_transit', 'transit', '31'),
  code('package_outbound', 'transit', '127'),
  code('removed_from_route', 'exception', '315'),
  code('route_cancelled', 'exception', '273'),
  code('out_for_delivery', 'out_for_delivery', '113'),
  code('delivered', 'delivered', '21', 'delivered'),
  code('delivery_failed', 'exception', '210'),
  code('delivery_rescheduled', 'exception', '105'),
  code('return_to_sender', 'return', '82', 'returned'),
  code('rejected_by_recipient', 'return', '325', 'rejected'),
  code('cancelled', 'exception', '324', 'cancelled'),
] as const satisfies readonly StatusCode[];

/**
 * The registered codes as a type. A mapping that `satisfies Record<Code, ...>` does not compile if the row of a code is
 * missing.
 */
export type Code = (typeof STATUS_CODES)[number]['code'];

const byCode = new Map<string, StatusCode>(STATUS_CODES.map((row) => [row.code, row]));
const rowOf = new Map<string, number>(STATUS_CODES.map((row, index) => [row.code, index]));

/** The registry row of a code without prefix; undefined for experimental (`x-`) and unknown codes. */
export const statusCode = (bare: string): StatusCode | undefined => byCode.get(bare);

/** Row number of a code in the table; experimental codes sort after all registered ones. */
export const codeRow = (bare: string): number => rowOf.get(bare) ?? STATUS_CODES.length;

export const isPhase = (value: string): value is Phase => (PHASES as readonly string[]).includes(value);

/** Statuses that show that the carrier has, or has had, the parcel. */
export const IN_HAND: ReadonlySet<string> = new Set<Code>([
  'picked_up',
  'received',
  'arrival_scan',
  'in_transit',
  'package_outbound',
  'out_for_delivery',
  'delivered',
  'delivery_failed',
  'delivery_rescheduled',
  'return_to_sender',
  'rejected_by_recipient',
]);

/** Maximum length of a status or reason code, with its prefix. */
export const MAX_CODE_LENGTH = 128;

/** Experimental codes: stored, with a warning, until they are registered. */
export const isExperimental = (bare: string): boolean =>
  bare !== UNMAPPED && bare.length <= MAX_CODE_LENGTH && /^x-[a-z0-9]+(?:[_-][a-z0-9]+)*$/.test(bare);

/**
 * Status of an event whose raw code is in a carrier's table without a status, for example a notice or a photo. It has no
 * phase: the timeline shows the event, and its status stays.
 */
export const CARRIER_NOTICE = 'x-carrier_notice';

/**
 * Status of an event that is kept until a table contains its raw code. It is stored only: no response shows it, and no
 * event may be sent with it.
 */
export const UNMAPPED = 'x-unmapped';

export const statusId = (profile: string, bare: string): string => `otep:${profile}:${bare}`;
export const phaseId = (phase: Phase): string => `otep:phase:${phase}`;

/** Removes the profile prefix: `otep:parcel:delivered` becomes `delivered`. All other texts are returned unchanged. */
export function bareCode(profile: string, given: string): string {
  const prefix = `otep:${profile}:`;
  return given.startsWith(prefix) ? given.slice(prefix.length) : given;
}
