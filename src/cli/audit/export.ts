/** `audit export`: raw events as stored, one JSON document per line. Encrypted data stays encrypted. */
import type { EventLog, Position, StoredEvent } from '../../events/core/log.js';
import { START } from '../../events/core/log.js';
import { command } from '../command.js';
import { withEngines } from '../engines.js';
import { progressNotes } from '../progress-notes.js';
import { readPosition } from './moment.js';

const PAGE = 1_000;

export const exportEvents = command({
  name: 'export',
  summary:
    'Export events as stored, one JSON document per line: after --from (the last position of an earlier export), up to and including --to or the end of the log.',

  options: {
    from: { value: '<position>', about: 'Export only later events: the last position of an earlier export.' },
    to: { value: '<position>', about: 'Last position, inclusive; default: the end of the log.' },
    stream: { value: '<name>', about: 'Only events of this stream.' },
  },

  async run({ values }, context) {
    return withEngines(context, { mustExist: true }, async ({ log }) => {
      const from = values.from === undefined ? START : await readPosition('--from', values.from, log);
      const to = values.to === undefined ? await log.head() : await readPosition('--to', values.to, log);
      const progress = progressNotes('export', context.note);
      let exported = 0;
      for await (const event of values.stream === undefined
        ? between(log, from, to, context.signal)
        : log.read(values.stream)) {
        if (event.position <= from || event.position > to) continue;
        await context.print(lineOf(event));
        progress(++exported);
      }
      context.signal.throwIfAborted();
    });
  },
});

async function* between(log: EventLog, from: Position, to: Position, signal: AbortSignal): AsyncIterable<StoredEvent> {
  if (from >= to) return;
  for await (const { events, position } of log.subscribe(from, { batch: PAGE, signal })) {
    yield* events;
    if (position >= to) return;
  }
}

const lineOf = ({ position, stream, revision, id, type, version, data, metadata }: StoredEvent): string =>
  JSON.stringify({ position, stream, revision, id, type, version, data, metadata });
