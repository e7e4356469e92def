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
import { happened, type Happening } from '../core/entity.js';

export type PaperWish =
  | { readonly do: 'setProfile'; readonly profile: DriverProfile }
  | { readonly do: 'submitDocument'; readonly document: DriverDocument }
  | { readonly do: 'verifyDocument'; readonly documentId: string }
  | { readonly do: 'rejectDocument'; readonly documentId: string; readonly reason?: string };

interface Paper {
  readonly kind: string;
  readonly validUntil: string | undefined;
  readonly by: number | undefined;
  state: 'submitted' | 'verified' | 'rejected' | 'replaced';
  /** Days before expiry of the last reminder: 30 or 7. */
  reminded: number;
}

/** Keyed by document id. */
export type Papers = Map<string, Paper>;

const MOST_DOCUMENTS = 200;

interface Whose {
  readonly userId: number;
  readonly business: number;
  readonly by?: number;
}

export function decidePapers(papers: Papers, command: PaperWish & Whose): Happening[] {
  const { userId: driver_id, business, by } = command;
  const whose = { driver_id, business, by };
  if (command.do === 'setProfile') return [happened(DriverProfileSet, { ...whose, ...command.profile })];
  if (command.do === 'submitDocument') {
    if (papers.size >= MOST_DOCUMENTS) throw new DomainError('TOO_MANY_DOCUMENTS', { most: MOST_DOCUMENTS });
    return [happened(DriverDocumentSubmitted, { ...whose, ...command.document })];
  }
  const { documentId: document_id } = command;
  const paper = papers.get(document_id);
  if (!paper) throw new DomainError('DOCUMENT_NOT_FOUND');
  const state = command.do === 'verifyDocument' ? 'verified' : 'rejected';
  if (paper.state === state) return [];
  if (paper.state !== 'submitted') throw new DomainError('DOCUMENT_DECIDED');
  if (by === paper.by) throw new DomainError('OWN_DOCUMENT');
  if (command.do === 'rejectDocument')
    return [happened(DriverDocumentRejected, { ...whose, document_id, reason: command.reason })];
  const { kind, validUntil: valid_until } = paper;
  const replaces = [...papers].filter(([, one]) => one.kind === kind && one.state === 'verified').map(([id]) => id);
  return [happened(DriverDocumentVerified, { ...whose, document_id, kind, valid_until, replaces })];
}

/** Reminds of a verified document that expires within 30 days. Expired documents need no event: their date shows it. */
export function expirePapers(papers: Papers, driver_id: number, business: number, { name, now }: Expire): Happening[] {
  for (const [document_id, { kind, validUntil: valid_until, state, reminded }] of papers) {
    if (documentTimer(document_id) !== name || state !== 'verified' || valid_until === undefined) continue;
    const left = (Date.parse(`${valid_until}T00:00:00Z`) - now) / DAY_MS;
    const days = left <= 7 ? 7 : 30;
    if (left > 30 || reminded <= days) return [];
    return [happened(DriverDocumentExpiring, { driver_id, business, document_id, kind, valid_until, days })];
  }
  return [];
}

export function evolvePapers(papers: Papers, { type, data }: PastEvent): void {
  const id = data['document_id'] as string;
  const paper = papers.get(id);
  switch (type) {
    case DriverDocumentSubmitted.type: {
      const { kind, valid_until: validUntil } = data as unknown as DriverDocument;
      papers.set(id, { kind, validUntil, by: data['by'] as number, state: 'submitted', reminded: Infinity });
      return;
    }
    case DriverDocumentVerified.type:
      for (const old of data['replaces'] as string[]) papers.get(old)!.state = 'replaced';
      paper!.state = 'verified';
      return;
    case DriverDocumentRejected.type:
      paper!.state = 'rejected';
      return;
    case DriverDocumentExpiring.type:
      paper!.reminded = data['days'] as number;
  }
}
