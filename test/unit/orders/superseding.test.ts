/** A superseded scan counts as if it had never happened: random orders with and without one of their scans. */
import { expect } from 'chai';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import { orders, type OrderCommand } from '../../../src/commands/orders/decider.js';
import { factId } from '../../../src/commands/orders/rules.js';
import { OrderStatusChanged, SCAN_CODES } from '../../../src/events/orders/events.js';
import { given } from '../../support/checks/given.js';
import { randomOf } from '../../support/fuzz/random.js';

const ROUNDS = 2_000;
const PACKAGES = ['A1', 'A2'];

type Past = ReturnType<typeof given<ReturnType<typeof orders.initial>, OrderCommand, unknown>>;

interface Run {
  readonly past: Past;
  readonly status: string;
  /** For each command: the types of its events other than the status, or the code of its rejection. */
  readonly outcomes: readonly string[];
}

function run(commands: readonly OrderCommand[]): Run {
  let past = given(orders);
  let status = 'NEW_ORDER';
  const outcomes = commands.map((command) => {
    try {
      const { types, reply, then } = past.when(command);
      past = then;
      ({ status } = reply);
      return types.filter((type) => type !== OrderStatusChanged.type).join();
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  });
  return { past, status, outcomes };
}

describe('a superseded scan', () => {
  it('leaves the order in the same status as without the scan', () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    let compared = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { below, pick } = randomOf(seed, round);
      let n = 0;
      const command = (body: object) =>
        ({ commandId: `${round} ${n++}`, orderId: 7, business: 1, ...body }) as unknown as OrderCommand;
      const commands = [
        command({
          do: 'create',
          order: {
            type: 'D',
            self_delivery: true,
            packages: PACKAGES.slice(0, 1 + below(2)).map((tracking_number) => ({ tracking_number })),
            time_windows: [],
          },
        }),
      ];
      for (let at = 0; at < 8; at++) {
        const instant = `2026-01-02T10:${String(10 + below(30))}:00.000000Z`;
        commands.push(
          command(
            pick([
              { do: 'put_on_route', routeId: 3 },
              { do: 'take_off_route', routeId: 3 },
              { do: 'hold' },
              { do: 'release' },
              { do: 'cancel' },
              { do: 'settle_scan', decision: 'apply' },
              ...Array.from({ length: 9 }, () => ({
                do: 'scan',
                tracking_number: pick(PACKAGES),
                status_code: pick(SCAN_CODES),
                occurred_at: instant,
                instant,
                by: 1 + below(3),
              })),
            ]),
          ),
        );
      }
      const whole = run(commands);
      const scans = commands.filter((_, at) => whole.outcomes[at] === 'PackageScanned');
      if (scans.length === 0) continue;
      const wrong = pick(scans);
      const without = run(commands.filter((one) => one !== wrong));
      const others = whole.outcomes.filter((_, at) => commands[at] !== wrong);
      // A command may have another outcome without the scan. Such orders cannot be compared.
      if (JSON.stringify(without.outcomes) !== JSON.stringify(others)) continue;
      compared++;
      const scanId = factId(wrong);
      const { reply } = whole.past.when(command({ do: 'supersede_scan', scanId, reason: 'wrong door' }));
      expect((reply as { status: string }).status, `SEED=${seed} ${JSON.stringify([commands, wrong])}`).to.equal(
        without.status,
      );
    }
    expect(compared).to.be.greaterThan(ROUNDS / 4);
  });
});
