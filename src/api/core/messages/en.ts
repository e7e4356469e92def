/** English, the language of the service: what the checker finds, and the errors of the API. */
import { FINDINGS, type FindingCode } from '../../../events/otep/check/findings.js';

const findings = Object.fromEntries(Object.entries(FINDINGS).map(([code, { text }]) => [code, text])) as Record<
  FindingCode,
  string
>;

const api = {
  UNAUTHENTICATED: 'Please sign in: this needs a valid access token or provider key.',
  FORBIDDEN: 'You are not allowed to do this.',
  WRONG_CREDENTIALS: 'E-mail address or password is wrong.',
  INSUFFICIENT_SCOPE: 'This access token does not hold what is needed: {scopes}.',
  MODULE_OFF: 'The module {module} is not switched on for your business.',
  WEBHOOK_URL_REFUSED:
    'This address cannot be used: webhooks go to an https address without credentials, on the public internet.',
  WEBHOOK_NOT_SET: 'Set an address and a secret for these webhooks first.',
  WEBHOOK_PENDING: 'This delivery is still under way.',
  EMAIL_TAKEN: 'Another account has this e-mail address.',
  TOO_MANY_KEYS: 'At most {max} API keys at a time.',
  LOCKED_OUT: 'Too many failed sign-ins. Please try again in {seconds} s.',
  NOT_FOUND: 'Nothing was found here.',
  NO_HEAD: 'No head of the log has been published yet.',
  TRACKING_NOT_FOUND: 'No parcel is known by this number.',
  METHOD_NOT_ALLOWED: 'This address takes only: {allowed}.',
  CONFLICT: 'This does not fit what has happened in the meantime. Read the current state and try again.',

  UNKNOWN_FORMAT: 'Unknown format; known: {allowed}.',
  NOT_ACCEPTABLE: 'None of the media types asked for is available; available: {allowed}.',
  UNSUPPORTED_MEDIA_TYPE: 'This media type is not understood; understood: {allowed}.',
  GRAPHQL_INVALID: 'The GraphQL document is not valid: {reason}.',
  QUERY_TOO_COMPLEX: 'The query asks for too much: {limit} is limited to {max}.',
  MALFORMED_JSON: 'The body is not valid JSON.',
  INVALID_ENCODING: 'The body is not valid UTF-8 text.',
  BODY_TOO_LARGE: 'The body is larger than {max} bytes.',
  REQUEST_ABORTED: 'The request ended before its body had arrived.',

  INVALID_INPUT: 'The input is not valid.',
  TOO_SHORT: 'Must have at least {min} characters.',
  TOO_MANY_EVENTS: 'At most {max} events can be sent at once.',
  TOO_FEW_ITEMS: 'At least {min} items are needed.',
  TOO_MANY_PARCELS:
    'The events name too many parcels for one push: at most {max}, each counted for every event that names it.',
  UNKNOWN_PARAMETER: 'Unknown parameter; known: {allowed}.',
  STANDARD_VERSION: 'Version {version} is not supported; supported: {supported}.',
  TOO_MANY_ITEMS: 'At most {max} items are allowed.',
  INVALID_FORM: 'Does not have the form that is asked for.',
  NOT_UNIQUE: 'Stands in the list more than once.',
  INVALID_EPCIS: 'The document is not valid EPCIS 2.0.',

  UNKNOWN_SHIPMENT: 'This shipment is not known, and you may not open a new one.',
  NOT_YOUR_SHIPMENT: 'This shipment was not given to you.',
  NOT_YOUR_EVENT: 'Only the producer of an event can retract it.',
  NOTHING_ACCEPTED: 'None of the events was accepted.',
  ROLLED_BACK: 'Not recorded, because another event of the same capture was rejected.',

  ORDER_NOT_FOUND: 'There is no such order.',
  UNKNOWN_CUSTOMER: 'This is no customer account of the business.',
  UNKNOWN_PACKAGE: 'The order has no package with this tracking number.',
  RELEASE_ON_ROUTE: 'The order is on a route; it can be handed back once it is off it.',
  NOT_ASSIGNED_TO_YOU: 'The order is not assigned to you.',
  ORDER_EXISTS: 'There is an order with this id already.',
  ORDER_ON_ROUTE: 'The order is on a route; take it off first.',
  ORDER_NOT_ON_ROUTE: 'The order is not on this route.',
  NOT_SELF_DELIVERY: 'The order is not a self-delivery order.',
  NOT_DISPATCHABLE: 'The order cannot be dispatched in status {status}.',
  HELD_BY_THIRD_PARTY: 'The order is held by a third-party carrier.',
  NOT_WITH_THIRD_PARTY: 'The order is not held by this third-party carrier.',
  ALREADY_ASSIGNED: 'The order is already assigned to this contractor.',
  ASSIGNED_TO_CONTRACTOR: 'The order is assigned to a contractor, who alone can plan it.',
  NOT_ASSIGNED: 'The order is not assigned to any contractor.',
  ORDER_HELD: 'The order is on hold.',
  ORDER_NOT_HELD: 'The order is not on hold.',
  ALREADY_PICKED_UP: 'The order has been picked up already.',
  ALREADY_DELIVERED: 'The order has been delivered already.',
  ORDER_CLOSED: 'The order has ended: {status}.',
  NOTHING_TO_REROUTE: 'The order has no delivery address to change.',
  ROUTE_CLOSED: 'The route is closed.',
  ROUTE_NOT_FOUND: 'There is no such route.',
  DRIVER_NOT_FOUND: 'There is no such driver.',
  CONTRACTOR_NOT_FOUND: 'There is no such contractor.',
  MISSING_ORDERS: 'No orders are named.',
  MISSING_CONTRACTOR: 'No contractor is named.',
  UNKNOWN_CONTRACTOR: 'This is not a contractor of your business.',
  UNKNOWN_DRIVER: 'This is not a driver of your business.',
  UNKNOWN_PROVIDER: 'There is no such carrier.',
  MODULE_UNAVAILABLE: 'The module {module} is not available on this system yet.',
  ASSIGNMENT_RELEASED: 'The order is handed back.',

  INVALID_IDEMPOTENCY_KEY: 'An idempotency key has 1 to {max} printable ASCII characters.',
  IDEMPOTENCY_KEY_REUSED: 'This idempotency key was used for another request.',
  IDEMPOTENCY_IN_FLIGHT: 'A request with this idempotency key is still being worked on.',
  INVALID_POSITION: 'This is not an event position of this service.',
  POSITION_AHEAD: 'This event position lies beyond the newest event.',
  NOT_CAUGHT_UP: 'The data has not reached this event position yet. Please try again shortly.',

  NO_SUCH_PROFILE: 'Unknown profile; known: {allowed}.',
  INVALID_SCOPES: 'Scopes are a comma-separated list such as orders:read,orders:write.',
  UNKNOWN_TOOL: 'There is no tool {tool} here.',
  NOT_A_WRITE: 'Only tools that write can be proposed; {tool} can be called at once or not at all.',
  SECRET_PROPOSED: 'A secret cannot be proposed: it would have to be kept until somebody decides.',
  API_TOKEN_RETIRED: 'The argument api_token is no longer accepted. Send the token as Authorization: Bearer.',
  APPROVAL_ELSEWHERE:
    'A connection that asks for approvals cannot give them. Approve on another one, or on the approvals page.',
  PROPOSAL_DECIDED: 'This proposal is no longer pending: {status}.',
  QUEUED_FOR_APPROVAL: 'Not carried out: the proposal {proposal} waits for approval.',
  PROPOSAL_OUTDATED: 'What the proposal is about has changed since it was made: {changed}. Propose anew.',
  CONFIRM_REQUIRED: 'This needs confirm=true, or an approval: {operation} changes what cannot simply be changed back.',

  RATE_LIMITED: 'Too many requests. Please try again in {seconds} s.',
  UNAVAILABLE: 'The service cannot do this at the moment. Please try again later.',
  INTERNAL: 'Something went wrong on our side.',
} as const;

export type MessageCode = FindingCode | keyof typeof api;

/** A text for every code; `{name}` stands for a parameter. */
export type Messages = Readonly<Record<MessageCode, string>>;

export const en: Messages = { ...findings, ...api };
