/** Incident reasons, with their UN/ECE Rec 24 reason code, if that list has one, and the equivalent CBV disposition. */
export interface IncidentReason {
  readonly code: string;
  readonly rec24: string | null;
  readonly disposition: string | null;
}

const reason = <Name extends string>(code: Name, rec24: string | null, disposition: string | null = null) =>
  ({ code, rec24, disposition }) as const;

export const INCIDENT_REASONS = [
  reason('recipient_absent', '269'),
  reason('address_incorrect', '234'),
  reason('address_incomplete', '274'),
  reason('access_denied', null),
  reason('business_closed', '211'),
  reason('recipient_refused', '325'),
  reason('damaged', '18', 'damaged'),
  reason('lost', '49', 'unknown'),
  reason('weather', '266'),
  reason('vehicle_breakdown', '239'),
  reason('traffic', null),
  reason('customs', '126'),
  reason('payment_due', '291'),
  reason('security', null),
  reason('capacity', null),
  reason('other', null),
] as const satisfies readonly IncidentReason[];

/** The registered reasons as a type, for mappings. */
export type Reason = (typeof INCIDENT_REASONS)[number]['code'];

const byCode = new Map<string, IncidentReason>(INCIDENT_REASONS.map((row) => [row.code, row]));

export const incidentReason = (code: string): IncidentReason | undefined => byCode.get(code);
