/** Decides commands on the return reasons of a business. A retired code is never used again. */
import { isDeepStrictEqual } from 'node:util';
import { compact } from '../../events/core/compact.js';
import {
  RETURN_REASONS_PREFIX,
  ReturnReasonRetired,
  ReturnReasonSet,
  type ReturnReason,
} from '../../events/return-reasons/events.js';
import { SEED } from '../../events/return-reasons/seed.js';
import { DomainError } from '../core/domain-error.js';
import { entity, newEvent, type EntityCommand } from '../core/entity.js';

/** Maximum number of codes of a business, including the codes that every business has and retired codes. */
export const MAX_RETURN_REASONS = 200;

/** `id`: the business. */
export type ReturnReasonCommand = EntityCommand & {
  readonly do: 'change';
  readonly id: number;
  readonly change: { readonly set: ReturnReason } | { readonly retire: string };
};

interface Known {
  readonly reason: ReturnReason;
  readonly isRetired: boolean;
}

const storedReason = ({ business: _business, ...reason }: ReturnReason & { readonly business?: unknown }) => reason;

export const returnReasons = entity<Map<string, Known>, ReturnReasonCommand>({
  name: RETURN_REASONS_PREFIX,
  makes: 'change',
  madeOnce: false,
  notFound: 'RETURN_REASON_NOT_FOUND',
  initial: () => new Map(SEED.map((reason) => [reason.code, { reason, isRetired: false }])),
  decide(known, { business, change }) {
    if ('retire' in change) {
      const before = known.get(change.retire);
      if (!before) throw new DomainError('RETURN_REASON_NOT_FOUND');
      return before.isRetired ? undefined : newEvent(ReturnReasonRetired, { code: change.retire, business });
    }
    const reason = compact(change.set) as ReturnReason;
    const before = known.get(reason.code);
    if (before?.isRetired) throw new DomainError('CONFLICT');
    if (isDeepStrictEqual(before?.reason, reason)) return undefined;
    if (!before && known.size >= MAX_RETURN_REASONS)
      throw new DomainError('TOO_MANY_RETURN_REASONS', { max: MAX_RETURN_REASONS });
    return newEvent(ReturnReasonSet, { ...reason, business });
  },
  evolve(known, { type, data }) {
    const code = data['code'] as string;
    if (type === ReturnReasonSet.type)
      known.set(code, { reason: storedReason(data as unknown as ReturnReason), isRetired: false });
    if (type === ReturnReasonRetired.type) known.set(code, { ...known.get(code)!, isRetired: true });
    return known;
  },
});
