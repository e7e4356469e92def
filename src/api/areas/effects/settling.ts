/** Staff decide whether a call with an unknown result took effect. */
import { z } from 'zod';
import type { EffectResult } from '../../../engines/outside/adapter.js';
import type { EffectList } from '../../../engines/postgres/effect-list.js';
import type { Performer } from '../../../effects/performer.js';
import type { EffectProgress } from '../../../events/effects/progress.js';
import type { EffectRecord } from '../../../events/effects/records.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError, formatError, invalidField } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { effectSchema, toEffect } from './shapes.js';

export interface SettlingOptions {
  readonly list: EffectList;
  readonly performer: Performer;
  /** The result at the external system; undefined: it does not show one now. */
  readonly lookAgain: (effect: EffectProgress, stream: string) => Promise<EffectResult | undefined>;
  readonly note: (effect: EffectProgress) => Promise<void>;
}

/** Code of the refusal of a call that did not happen according to staff. */
const SETTLED = 'SETTLED';
/** Member of the input with the result that staff give. */
const RESULT = 'effect_result';

export function effectSettling({ list, performer, lookAgain, note }: SettlingOptions): Operation[] {
  const listed = async (business: number, id: string) =>
    (await list.list(business, { id, offset: 0, limit: 1 })).effects[0];

  /** The result that staff give, checked against the schema of the area. Throws INVALID_INPUT. */
  function givenResult({ kind }: EffectProgress, given: unknown): EffectResult {
    if (given === undefined) throw invalidField('REQUIRED', RESULT);
    const parsed = performer.kindOf(kind).steps.result.strict().safeParse(given);
    if (parsed.success) return parsed.data;
    throw new ApiError('INVALID_INPUT', {
      errors: parsed.error.issues.map(({ path, message }) =>
        formatError(String(path.at(-1) ?? RESULT), message, [`/${RESULT}`, ...path.map(String)].join('/')),
      ),
    });
  }

  return [
    operation({
      name: 'effectSettle',
      area: 'Effects',
      summary: 'Settle a call to an external system',
      description:
        'Use it for a call with the status `open`, after staff have found out at the external system whether the call took effect. If it did, the service first reads the result from the external system. `effect_result` is required only if the service cannot read it. The call then has the status `done` or `refused`, and its order or payment continues.',
      rest: { method: 'post', path: '/v1/effects/:effect_id/settle' },
      callers: ['client_admin'],
      scopes: ['billing:write'],
      risk: 'high',
      writes: true,
      answers: {
        404: 'The business has no such call.',
        409: '`CONFLICT`: the call is not open, it was settled with the other result, or this version of the service does not know its kind.',
      },
      input: z.object({
        effect_id: z.uuid(),
        happened: z.boolean().describe('True: the call took effect at the external system.'),
        evidence: z
          .string()
          .trim()
          .min(3)
          .max(500)
          .describe(
            'Evidence of staff for the result, such as the number of the external invoice. The service stores it encrypted.',
          ),
        effect_result: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'Members of the result, such as a tracking number. Ignored if the external system shows the result.',
          ),
      }),
      output: z.object({ result: z.boolean(), effect: effectSchema }),
      async run({ effect_id, happened, evidence, effect_result }, { caller, cause, wrote }) {
        const business = businessOf(caller);
        const found = await listed(business, effect_id);
        if (!found?.stream) throw fieldError('NOT_FOUND', 'effect_id');
        const { kind, stream } = found;
        if (!performer.knows(kind)) throw new ApiError('CONFLICT');
        const effect = await performer.progressOf({ kind, stream, effectId: effect_id });
        if (!effect) throw fieldError('NOT_FOUND', 'effect_id');
        const settled = { by: userOf(caller).userId, evidence };
        const record: EffectRecord = happened
          ? { step: 'done', result: await resultOf(effect, stream, effect_result), settled }
          : { step: 'refused', code: SETTLED, final: true, settled };
        const { reply, position } = await performer
          .kindOf(kind)
          .handle(stream, { do: 'effect', kind, effectId: effect_id, record }, cause);
        wrote(position);
        if (!cause.dryRun) await note(reply.effect!);
        return { result: true, effect: toEffect((await listed(business, effect_id))!) };
      },
    }),
  ];

  /** The command decides about an effect that is not open, and needs no result for it. */
  async function resultOf(effect: EffectProgress, stream: string, given: unknown): Promise<EffectResult> {
    if (effect.step !== 'left_open') return {};
    return (await lookAgain(effect, stream)) ?? givenResult(effect, given);
  }
}
