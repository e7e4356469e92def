/** `audit timeline`: shows a tracking as it was known at a past moment, built from the log. */
import type { Engines } from '../../engines/open.js';
import { instantOf } from '../../events/otep/time.js';
import { journeyOfRow, type View } from '../../projections/trackings/journeys.js';
import { FORMATS, formatNames } from '../../serializers/index.js';
import { command, UsageError } from '../command.js';
import { withEngines } from '../engines.js';
import { publicAddress } from '../public-address.js';
import { readMoment } from './moment.js';
import { replayTrackings, type Replayed } from './replayed-trackings.js';

export const timeline = command({
  name: 'timeline',
  summary: 'Print a timeline as it was recorded at a time, as JSON.',

  args: ['number'],
  options: {
    at: { value: '<time or position>', about: 'RFC 3339, or a position of the log.' },
    carrier: { value: '<id>', about: 'Owner of the tracking, if several have the number.' },
    format: { value: '<name>', about: formatNames().join(', '), default: 'otep' },
    full: { about: 'With personal data.' },
  },

  async run({ positionals: [number], values }, context) {
    if (values.at === undefined) throw new UsageError('--at is missing.');
    const at = values.at;
    const format = FORMATS.find(({ name }) => name === values.format);
    if (!format)
      throw new UsageError(`The format ${values.format} does not exist; the formats are ${formatNames().join(', ')}.`);

    return withEngines(context, { mustExist: true }, async (engines) => {
      const moment = await readMoment(at, engines.log);
      const replayed = await replayTrackings(number!, moment, engines, context);
      const found = replayed.known.find(({ row }) => values.carrier === undefined || row.owner.id === values.carrier);
      if (!found) throw new Error(unknown(number!, at, values.carrier, replayed));
      const { row, last } = found;
      // For a position, the current time of the timeline is the record time of the last event up to that position.
      const now = 'instant' in moment ? moment.instant : instantOf(row.recorded_at)!;
      const journey = journeyOfRow(row, await viewOf(row.id, values.full, engines), now);
      await context.print(
        JSON.stringify(format.serialize(journey, { baseUrl: publicAddress(context.config) }), null, 2),
      );
      context.note(
        `revision ${row.revision}, position ${last.position}, recorded ${row.recorded_at}, owner ${row.owner.id}`,
      );
      const others = [...new Set(replayed.known.map((other) => other.row.owner.id))].filter(
        (id) => id !== row.owner.id,
      );
      if (others.length > 0 && values.carrier === undefined)
        context.note(`Other owners also have the number: --carrier ${others.join(', ')}`);
    });
  },
});

async function viewOf(id: string, full: boolean, { keyRing }: Engines): Promise<View> {
  return full ? { kind: 'full', keys: await keyRing.existing([id]) } : { kind: 'public' };
}

function unknown(number: string, at: string, carrier: string | undefined, { known, first }: Replayed): string {
  if (known.length > 0)
    return `${carrier} had no events of ${number} at ${at}; other owners had: ${[...new Set(known.map(({ row }) => row.owner.id))].join(', ')}.`;
  if (!first) return `No tracking has the number ${number}.`;
  return `No event of ${number} was recorded by ${at}: its first event was recorded at ${String(first.metadata['recorded_at'])}, position ${first.position}.`;
}
