/** Decides commands on a driver's profile and documents. It also checks that the reviewer is not the submitter. */
import type { Expire } from '../../events/core/timers.js';
import {
  DAY_MS,
  documentTimer,
  DriverDocumentExpiring,
  DriverDocumentRejected,
  DriverDocumentSubmitted,
  DriverDocumentVerified,
  DriverProfileSet,
  type DriverDocument,
  type DriverProfile,
} from '../../events/drivers/profile-and-documents.js';
import type { PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';

export type DocumentChange =
  | { readonly do: 'setProfile'; readonly profile: DriverProfile }
  | { readonly do: 'submitDocument'; readonly document: DriverDocument }
  | { readonly do: 'verifyDocument'; readonly documentId: string }
  | { readonly do: 'rejectDocument'; readonly documentId: string; readonly reason?: string };

interface DocumentState {
  readonly kind: string;
  readonly validUntil: string | undefined;
  readonly by: number | undefined;
  state: 'submitted' | 'verified' | 'rejected' | 'replaced';
  /** Days before expiry of the last reminder: 30 or 7. */
  reminded: number;
}

/** Keyed by document id. */
export type DocumentStates = Map<string, DocumentState>;

const MAX_DOCUMENTS = 200;

interface DriverRef {
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
}

export function decideDocuments(documents: DocumentStates, command: DocumentChange & DriverRef): NewEvent[] {
  const { userId: driver_id, business, by } = command;
  const driver = { driver_id, business, by };
  if (command.do === 'setProfile') return [newEvent(DriverProfileSet, { ...driver, ...command.profile })];
  if (command.do === 'submitDocument') {
    if (documents.size >= MAX_DOCUMENTS) throw new DomainError('TOO_MANY_DOCUMENTS', { most: MAX_DOCUMENTS });
    return [newEvent(DriverDocumentSubmitted, { ...driver, ...command.document })];
  }
  const { documentId: document_id } = command;
  const document = documents.get(document_id);
  if (!document) throw new DomainError('DOCUMENT_NOT_FOUND');
  const state = command.do === 'verifyDocument' ? 'verified' : 'rejected';
  if (document.state === state) return [];
  if (document.state !== 'submitted') throw new DomainError('DOCUMENT_DECIDED');
  if (by === document.by) throw new DomainError('OWN_DOCUMENT');
  if (command.do === 'rejectDocument')
    return [newEvent(DriverDocumentRejected, { ...driver, document_id, reason: command.reason })];
  const { kind, validUntil: valid_until } = document;
  const replaces = [...documents].filter(([, one]) => one.kind === kind && one.state === 'verified').map(([id]) => id);
  return [newEvent(DriverDocumentVerified, { ...driver, document_id, kind, valid_until, replaces })];
}

/** Reminds of a verified document that expires within 30 days. Expired documents need no event: their date shows it. */
export function expireDocuments(
  documents: DocumentStates,
  driver_id: number,
  business: number,
  { name, now }: Expire,
): NewEvent[] {
  for (const [document_id, { kind, validUntil: valid_until, state, reminded }] of documents) {
    if (documentTimer(document_id) !== name || state !== 'verified' || valid_until === undefined) continue;
    const daysLeft = (Date.parse(`${valid_until}T00:00:00Z`) - now) / DAY_MS;
    const days = daysLeft <= 7 ? 7 : 30;
    if (daysLeft > 30 || reminded <= days) return [];
    return [newEvent(DriverDocumentExpiring, { driver_id, business, document_id, kind, valid_until, days })];
  }
  return [];
}

export function evolveDocuments(documents: DocumentStates, { type, data }: PastEvent): void {
  const id = data['document_id'] as string;
  const document = documents.get(id);
  switch (type) {
    case DriverDocumentSubmitted.type: {
      const { kind, valid_until: validUntil } = data as unknown as DriverDocument;
      documents.set(id, { kind, validUntil, by: data['by'] as number, state: 'submitted', reminded: Infinity });
      return;
    }
    case DriverDocumentVerified.type:
      for (const old of data['replaces'] as string[]) documents.get(old)!.state = 'replaced';
      document!.state = 'verified';
      return;
    case DriverDocumentRejected.type:
      document!.state = 'rejected';
      return;
    case DriverDocumentExpiring.type:
      document!.reminded = data['days'] as number;
  }
}
