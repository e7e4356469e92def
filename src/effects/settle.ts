/** Reads the result of an effect that staff settle. */
import type { Outcome, EffectResult } from '../engines/outside/adapter.js';
import type { Circuits } from '../engines/outside/circuits.js';
import type { EffectProgress } from '../events/effects/progress.js';
import type { Performer } from './performer.js';

/** The result at the external system; undefined: it does not show one now. */
export async function lookAgain(
  { kindOf, call }: Pick<Performer, 'kindOf' | 'call'>,
  circuits: Circuits,
  { kind, business, adapter: name, account, effectId, remoteId }: EffectProgress,
  stream: string,
): Promise<EffectResult | undefined> {
  const { adapter: adapterOf, steps, request: requestOf } = kindOf(kind);
  const adapter = adapterOf(name);
  const target = { adapter: name, account };
  if (!adapter || circuits.waitOf(target) > 0) return undefined;
  const request = await requestOf(stream, effectId);
  const seen: Outcome<EffectResult> = await call(target, (signal) =>
    adapter.look({ business, account, key: effectId, signal, remoteId, request }),
  );
  const parsed = seen.is === 'done' ? steps.result.safeParse(seen.result) : undefined;
  return parsed?.data;
}
