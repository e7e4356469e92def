/** The methods of a carrier account: those that the carrier offers, with the choices of the business. */
import { MAX_METHODS, methodIdOf, type AccountMethod } from '../../events/carrier-accounts/events.js';
import { compact } from '../../events/core/compact.js';
import { DomainError } from '../core/domain-error.js';

/** A method as the carrier offers it. */
export type OfferedMethod = Pick<AccountMethod, 'code' | 'name' | 'carrier' | 'formats' | 'countries'>;

export interface MethodChoice {
  readonly methodId: number;
  readonly enabled?: boolean | undefined;
  /** Null: none. */
  readonly markupCard?: number | null | undefined;
}

/**
 * The methods after the carrier was asked. A known code keeps its id and the choices of the business. A method that is
 * no longer offered keeps its id, but cannot be used. New methods are enabled. Throws TOO_MANY_METHODS.
 */
export function offeredMethods(
  accountId: number,
  known: readonly AccountMethod[],
  offered: readonly OfferedMethod[],
): readonly AccountMethod[] {
  const byCode = new Map(offered.map((one) => [one.code, one]));
  const kept = known.map(({ withdrawn: _before, ...one }): AccountMethod => {
    const now = byCode.get(one.code);
    byCode.delete(one.code);
    return now ? { ...one, ...described(now) } : { ...one, enabled: false, withdrawn: true };
  });
  const added = [...byCode.values()].map((one, index): AccountMethod => ({
    method_id: methodIdOf(accountId, known.length + index + 1),
    ...described(one),
    enabled: true,
  }));
  if (kept.length + added.length > MAX_METHODS) throw new DomainError('TOO_MANY_METHODS', { max: MAX_METHODS });
  return [...kept, ...added];
}

const described = ({ code, name, carrier, formats, countries }: OfferedMethod) =>
  compact({ code, name, carrier, formats: [...formats], countries: countries && [...countries] });

/** The methods with the choices of the business. Throws CARRIER_METHOD_NOT_FOUND: unknown, or enabled although withdrawn. */
export function chosenMethods(
  methods: readonly AccountMethod[],
  choices: readonly MethodChoice[],
): readonly AccountMethod[] {
  const byId = new Map(choices.map((choice) => [choice.methodId, choice]));
  const chosen = methods.map((method): AccountMethod => {
    const choice = byId.get(method.method_id);
    if (!choice) return method;
    if (choice.enabled === true && method.withdrawn) throw new DomainError('CARRIER_METHOD_NOT_FOUND');
    byId.delete(method.method_id);
    return compact({
      ...method,
      enabled: choice.enabled ?? method.enabled,
      markup_card: choice.markupCard === undefined ? method.markup_card : (choice.markupCard ?? undefined),
    });
  });
  if (byId.size > 0) throw new DomainError('CARRIER_METHOD_NOT_FOUND');
  return chosen;
}
