import { expect } from 'chai';
import { z } from 'zod';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { currentArguments, RENAMED_ARGUMENTS } from '../../../src/events/approvals/renamed-arguments.js';

describe('arguments of proposals that were created under old names', () => {
  it('are read under the current names, in every list item', () => {
    const order = { type: 'D', packages: [{ weight: 2.5, height: 12 }, { weight_kg: 1 }, {}] };
    const now = { type: 'D', packages: [{ weight_kg: 2.5, height_cm: 12 }, { weight_kg: 1 }, {}] };
    expect(currentArguments('clientOrderCreate', order)).to.deep.equal(now);
    expect(
      currentArguments('clientBuildRoute', { date: '2030-12-02', budget: { seconds: 5, threads: 2 }, wait_s: 5 }),
    ).to.deep.equal({ schedule_date: '2030-12-02', budget: { time_limit_s: 5, threads: 2 }, wait_s: 5 });
    expect(currentArguments('clientBuildRouteCommit', { plan_id: 4 })).to.deep.equal({ route_plan_id: 4 });
    expect(currentArguments('clientOrdersBulk', { orders: [order, order], stop_on_error: true })).to.deep.equal({
      orders: [now, now],
      stop_on_error: true,
    });
  });

  it('name types of webhooks by their only spelling', () => {
    const types = ['*', 'order_created', 'route_board.claimed', 'unknown_type'];
    expect(currentArguments('webhookSettingsUpdate', { webhook_event_types: types })).to.deep.equal({
      webhook_event_types: ['*', 'order.created', 'route_board.claimed', 'unknown_type'],
    });
    expect(currentArguments('webhookTest', { event_type: 'route_plan_finished' })).to.deep.equal({
      event_type: 'route_plan.finished',
    });
    expect(currentArguments('orderHold', { event_type: 'order_created' })).to.deep.equal({
      event_type: 'order_created',
    });
  });

  it('keep a member with its current name, and values that are not objects', () => {
    expect(currentArguments('orderCreate', { packages: [{ weight: 1, weight_kg: 2 }] })).to.deep.equal({
      packages: [{ weight_kg: 2 }],
    });
    expect(currentArguments('orderCreate', { packages: 'weight' })).to.deep.equal({ packages: 'weight' });
    expect(currentArguments('orderHold', { order_id: 7, reason: 'x' })).to.deep.equal({ order_id: 7, reason: 'x' });
  });

  it('map to existing operations and members, and from members that no longer exist', () => {
    const operations = new Map(describeOperations().map((one) => [one.name, one]));
    for (const [name, renamed] of Object.entries(RENAMED_ARGUMENTS)) {
      const operation = operations.get(name);
      const input = operation?.documented ?? operation?.input;
      expect(input, name).to.not.equal(undefined);
      const paths = pathsOf(z.toJSONSchema(input!, { io: 'input', unrepresentable: 'any' }) as Schema);
      for (const [old, member] of Object.entries(renamed)) {
        const current = [...old.split('.').slice(0, -1), member].join('.');
        expect(paths, `the old ${old} of ${name}`).to.not.include(old);
        expect(paths, `the new ${current} of ${name}`).to.include(current);
      }
    }
  });
});

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Paths of all members of a schema, written as in the table of renamed arguments. */
function pathsOf(schema: Schema, path = '', { $defs = {} }: Schema = schema): string[] {
  const named = schema.$ref === undefined ? schema : $defs[schema.$ref.replace('#/$defs/', '')]!;
  const { properties = {}, items, anyOf = [] } = named;
  const inside = (member: string): string => (path === '' ? member : `${path}.${member}`);
  return [
    ...Object.entries(properties).flatMap(([member, inner]) => [
      inside(member),
      ...pathsOf(inner, inside(member), { $defs }),
    ]),
    ...(items ? pathsOf(items, inside('*'), { $defs }) : []),
    ...anyOf.flatMap((one) => pathsOf(one, path, { $defs })),
  ];
}
