/** How an area performs its effects: the adapter, the request, and the stream that records the steps. */
import type { Handle } from '../commands/core/handle.js';
import type { Adapter } from '../engines/outside/adapter.js';
import type { EffectCommand, EffectReply } from '../events/effects/records.js';
import type { EffectSteps } from '../events/effects/steps.js';

export interface EffectKind<Request = unknown> {
  readonly steps: EffectSteps;
  /** The adapter of this name; undefined: the service does not have it any more. */
  readonly adapter: (name: string) => Adapter<Request> | undefined;
  /** The request, read from the stream; undefined: its personal data was erased. */
  readonly request: (stream: string, effectId: string) => Promise<Request | undefined>;
  /** The handler of the area's commands. Its decider calls `recordEffect`. */
  readonly handle: Handle<EffectCommand, EffectReply>;
}

/** Kinds by their names. Throws an error with an explanation if they do not match the declared streams. */
export function effectKindsOf(
  kinds: readonly EffectKind[],
  declared: readonly EffectSteps[],
): ReadonlyMap<string, EffectKind> {
  const byName = new Map(kinds.map((kind) => [kind.steps.kind, kind]));
  for (const { kind } of declared)
    if (!byName.has(kind))
      throw new Error(
        `No area performs the effects of kind ${kind}: add it to \`effects\` of its registration in src/areas/<area>.ts.`,
      );
  for (const kind of byName.keys())
    if (!declared.some((steps) => steps.kind === kind))
      throw new Error(
        `No stream records the effects of kind ${kind}: add its steps to \`effects\` of the streams in src/areas/<area>.ts.`,
      );
  return byName;
}

/** Throws an error with an explanation for an adapter that cannot keep its promise. */
export function checkAdapter({ name, dedupe, reserve }: Adapter<never>): void {
  if (dedupe === 'object' && !reserve)
    throw new Error(`The adapter ${name} has dedupe "object", so it must have the function \`reserve\`.`);
}
