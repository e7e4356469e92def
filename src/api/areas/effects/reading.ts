/** Lists calls to external systems, so that staff find those whose result is unknown. */
import { z } from 'zod';
import { EFFECT_STATUSES, type EffectList } from '../../../engines/postgres/effect-list.js';
import { businessOf, STAFF_ROLES } from '../../core/callers.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { effectSchema, toEffect } from './shapes.js';

const ALL = 'all';

export function effectReads({ list }: { readonly list: EffectList }): Operation[] {
  return [
    operation({
      name: 'effects',
      area: 'Effects',
      summary: 'List calls to external systems with an unknown result',
      description:
        'Lists calls that must take effect exactly once, and messages of external systems that could not be processed. The newest entry comes first. Calls with a known result stay in the list for 30 days.',
      rest: { method: 'get', path: '/v1/effects' },
      callers: STAFF_ROLES,
      scopes: ['orders:read'],
      input: z.object({
        status: z
          .enum([...EFFECT_STATUSES, ALL])
          .default('open')
          .describe(
            '`open`: only calls and messages that staff must settle. `all`: also calls and messages that are pending, done or refused.',
          ),
        kind: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe('Kind of the call, or `inbox` for messages from external systems.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, effects: z.array(effectSchema) }),
      async run({ status, kind, ...page }, { caller }) {
        const { effects, ...found } = await list.list(businessOf(caller), {
          status: status === ALL ? undefined : status,
          kind,
          ...rangeOf(page),
        });
        return { ...pageOf(page, found), effects: effects.map(toEffect) };
      },
    }),
  ];
}
