/** All operations of the service, in the order of the documents. */
import type { Capture } from '../../commands/captures/capture.js';
import type { Commands } from '../../commands/commands.js';
import type { Format } from '../../serializers/format.js';
import type { FieldError } from '../core/errors.js';
import { chooseLanguage } from '../core/messages/index.js';
import type { TimelineReader } from './trackings/timelines.js';
import { localizeField } from '../core/problem.js';
import type { Logins } from '../../engines/postgres/logins.js';
import type { Tokens } from '../../engines/postgres/tokens.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import type { AssignmentQueries } from '../../projections/assignments/queries.js';
import type { CaptureQueries } from '../../projections/captures/queries.js';
import type { Operation } from '../core/operation.js';
import { dispatchOperations, type DispatchOptions } from './routes/dispatch.js';
import { brokerOrderAssignments } from './assignments/operations.js';
import { epcisCapture } from './captures/operations.js';
import { epcisEvents, type EpcisEventsOptions } from './captures/event-operations.js';
import { otepClient } from './trackings/client.js';
import { otepCheck } from './trackings/check.js';
import { otepIngest } from './trackings/ingest.js';
import { otepReading } from './trackings/reading.js';
import { otepStatus } from './trackings/status.js';
import { providerOperations } from './providers/operations.js';
import { apiKeys } from './accounts/api-keys.js';
import type { AuditReader } from './audit/reader.js';
import { privacy, type PrivacyOptions } from './privacy/operations.js';
import { audit } from './audit/operations.js';
import { auditProofs, type AuditProofsOptions } from './audit/proofs.js';
import { businesses } from './businesses/operations.js';
import { orderOperations, type OrderOperationsOptions } from './orders/operations.js';
import { sessions } from './accounts/sessions.js';
import { users } from './accounts/users.js';
import { webhookDeliveries } from './webhooks/deliveries.js';
import { webhookSettings } from './webhooks/settings.js';
import type { WebhookServices } from './webhooks/deliveries.js';

export interface OperationsOptions {
  readonly commands: Commands;
  readonly reader: TimelineReader;
  readonly capture: Capture;
  readonly captures: CaptureQueries;
  readonly epcis: Pick<EpcisEventsOptions, 'find' | 'trackings' | 'keyRing'>;
  readonly accounts: AccountQueries;
  readonly assignments: AssignmentQueries;
  readonly dispatch: Omit<DispatchOptions, 'commands' | 'accounts'>;
  readonly logins: Logins;
  readonly tokens: Tokens;
  readonly orders: Pick<OrderOperationsOptions, 'queries' | 'history' | 'place' | 'batches'>;
  readonly approvals: readonly Operation[];
  readonly agents: readonly Operation[];
  readonly webhooks: WebhookServices;
  readonly audit: AuditReader;
  readonly auditProofs: AuditProofsOptions;
  readonly erasure: PrivacyOptions;
  readonly formats: readonly Format[];
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly countEvents: (outcome: 'accepted' | 'duplicate' | 'rejected', count: number) => void;
}

export function createOperations({
  agents,
  approvals,
  commands,
  reader,
  capture,
  captures,
  epcis,
  accounts,
  assignments,
  dispatch,
  logins,
  tokens,
  webhooks,
  formats,
  now,
  baseUrl,
  countEvents,
  audit: auditReader,
  auditProofs: proofs,
  erasure,
  orders,
}: OperationsOptions): Operation[] {
  const localize = (errors: readonly FieldError[], language: string | undefined) => {
    const chosen = chooseLanguage(language);
    return errors.map((error) => localizeField(error, chosen));
  };
  return [
    ...otepReading({ reader, formats, baseUrl }),
    ...otepClient({ reader, formats }),
    ...otepIngest({ ingest: commands.ingest, now, localize, countEvents }),
    ...otepStatus({ ingest: commands.ingest, localize, countEvents }),
    ...epcisCapture({ capture, captures, localize, countEvents }),
    ...epcisEvents({ ...epcis, now, baseUrl }),
    ...otepCheck({ formats, now, baseUrl, localize }),
    ...providerOperations({ handle: commands.providers }),
    ...sessions({ handle: commands.accounts, accounts, logins, tokens, now }),
    ...users({ handle: commands.accounts, accounts, logins, tokens }),
    ...apiKeys({ handle: commands.accounts, accounts, tokens }),
    ...businesses({ handle: commands.businesses, accounts }),
    ...orderOperations({ ...orders, orders: commands.orders, reader, now }),
    ...brokerOrderAssignments({ handle: commands.orders, assignments, accounts }),
    ...dispatchOperations({ ...dispatch, commands, accounts }),
    ...approvals,
    ...agents,
    ...webhookSettings({ handle: commands.webhooks, ...webhooks }),
    ...webhookDeliveries(webhooks),
    ...audit(auditReader),
    ...auditProofs(proofs),
    ...privacy(erasure),
  ];
}
