/** `audit ledger`: recomputes the books of all wallets from the log alone. */
import { EVENT_TYPES } from '../../areas/index.js';
import { Books } from '../../commands/wallet/books.js';
import type { EventLog, StoredEvent } from '../../events/core/log.js';
import { START } from '../../events/core/log.js';
import { isNegative, negated } from '../../events/core/money.js';
import { WALLET_PREFIX } from '../../events/wallet/events.js';
import { command, EXIT } from '../command.js';
import { withEngines } from '../engines.js';
import { progressNotes } from '../progress-notes.js';

/** Maximum number of reported events; the others are only counted. */
const MAX_REPORTED = 20;

export const ledger = command({
  name: 'ledger',
  summary:
    'Recompute the books of all wallets from the log, without read models, and print the trial balance. Names the first wrong event of each wallet. Exit code 3 if there is one.',

  async run(_given, context) {
    return withEngines(context, { mustExist: true }, async ({ log }) => {
      const started = Date.now();
      const books = new Books(EVENT_TYPES);
      const wrong = new Set<string>();
      const progress = progressNotes('ledger', context.note);
      let events = 0;
      for await (const event of walletEvents(log, context.signal)) {
        progress(++events);
        // The amounts after a wrong event are unknown, so later events of its wallet are not judged.
        if (wrong.has(event.stream)) continue;
        const fault = books.add(event);
        if (fault === undefined) continue;
        wrong.add(event.stream);
        const place = `${event.stream} ${event.revision} (event ${event.id}, position ${event.position})`;
        if (wrong.size <= MAX_REPORTED) await context.print(`ledger: ${place} ${event.type}: ${fault}`);
      }
      if (wrong.size === 0)
        for (const { business, currency, balances } of books.trialBalances)
          for (const account of Object.keys(balances).sort())
            await context.print(`business ${business}, ${currency}, ${account}: ${shown(balances[account]!)}`);
      const seconds = ((Date.now() - started) / 1_000).toFixed(2);
      const verdict =
        wrong.size === 0 ? 'balanced' : `${wrong.size} ${wrong.size === 1 ? 'wallet is' : 'wallets are'} wrong`;
      await context.print(`ledger: ${books.walletCount} wallets, ${events} events, ${seconds} s, ${verdict}`);
      return wrong.size === 0 ? EXIT.ok : EXIT.different;
    });
  },
});

const shown = (balance: string): string => (isNegative(balance) ? `debit ${negated(balance)}` : `credit ${balance}`);

/** All events of wallets in the order of the log, up to its end. */
async function* walletEvents(log: EventLog, signal: AbortSignal): AsyncGenerator<StoredEvent> {
  const head = await log.head();
  if (head === START) return;
  for await (const { events, position } of log.subscribe(START, { batch: 1_000, prefixes: [WALLET_PREFIX], signal })) {
    yield* events.filter((event) => event.position <= head);
    if (position >= head) return;
  }
  signal.throwIfAborted();
}
