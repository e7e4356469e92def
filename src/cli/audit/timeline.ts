/** `audit timeline`: shows a tracking as it was known at a past moment, built from the log. */
import type { Engines } from '../../engines/open.js';
import { instantOf } from '../../events/otep/time.js';
import { journeyOfLife, type View } from '../../projections/trackings/journeys.js';
import { currentLife, livesOf, type Life } from '../../projections/trackings/lives.js';
import { openIdentifiers } from '../../projections/trackings/naming.js';
import { livesOfNetwork, type NetworkLife } from '../../projections/trackings/network-lives.js';
import type { TrackingRow } from '../../projections/trackings/row.js';
import { FORMATS, formatNames } from '../../serializers/index.js';
import { command, UsageError } from '../command.js';
import { withEngines } from '../engines.js';
import { publicAddress } from '../public-address.js';
import { readMoment } from './moment.js';
import { readCount } from './read-count.js';
import { replayTrackings, type Replayed } from './replayed-trackings.js';

export const timeline = command({
  name: 'timeline',
  summary: 'Print a timeline as it was recorded at a time, as JSON.',

  args: ['number'],
  options: {
    at: { value: '<time or position>', about: 'RFC 3339, or a position of the log.' },
    carrier: { value: '<id>', about: 'Owner of the tracking, if several have the number.' },
    format: { value: '<name>', about: formatNames().join(', '), default: 'otep' },
    life: { value: '<n>', about: 'Life of the number: 1 is the oldest. Default: the latest.' },
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
      const found = replayed.known.find(({ owner }) => values.carrier === undefined || owner.id === values.carrier);
      if (!found) throw new Error(unknown(number!, at, values.carrier, replayed));
      const { owner } = found;
      const network = values.carrier === undefined ? replayed.network : undefined;
      const parcels = network?.parcels ?? [found];
      const rows = parcels.flatMap((one) => one.rows);
      const last = parcels.map((one) => one.last).reduce((a, b) => (b.position > a.position ? b : a));
      const lives: readonly [Life & Partial<NetworkLife>, ...(Life & Partial<NetworkLife>)[]] = network
        ? livesOfNetwork(
            network.number,
            network.parcels.map((one) => ({ carrier: one.owner.id, rows: one.rows })),
            openIdentifiers(number!),
          )
        : livesOf(rows);
      // For a position, the current time of the timeline is the record time of the last event up to that position.
      const now = 'instant' in moment ? moment.instant : instantOf(lives[0].recorded_at)!;
      const life = values.life === undefined ? currentLife(lives, now) : lives[readCount('--life', values.life) - 1];
      if (!life) throw new Error(`${number!} has ${lives.length} lives.`);
      const [carrier = owner.id, ...alternatives] = life.carriers ?? [];
      const journey = {
        ...journeyOfLife(life, await viewOf(rows, values.full, engines), now),
        ...(life.carriers && { carrierMatch: { carrier, alternatives, carriers: life.carriers } }),
      };
      await context.print(
        JSON.stringify(format.serialize(journey, { baseUrl: publicAddress(context.config) }), null, 2),
      );
      context.note(
        `revision ${life.revision}, position ${last.position}, recorded ${life.recorded_at}, owner ${parcels.map((one) => one.owner.id).join(', ')}`,
      );
      const others = [...new Set(replayed.known.map((other) => other.owner.id))].filter((id) => id !== owner.id);
      if (others.length > 0 && values.carrier === undefined)
        context.note(`Other owners also have the number: --carrier ${others.join(', ')}`);
    });
  },
});

async function viewOf(rows: readonly TrackingRow[], full: boolean, { keyRing }: Engines): Promise<View> {
  return full ? { kind: 'full', keys: await keyRing.existing(rows.map(({ id }) => id)) } : { kind: 'public' };
}

function unknown(number: string, at: string, carrier: string | undefined, { known, first }: Replayed): string {
  if (known.length > 0)
    return `${carrier} had no events of ${number} at ${at}; other owners had: ${[...new Set(known.map(({ owner }) => owner.id))].join(', ')}.`;
  if (!first) return `No tracking has the number ${number}.`;
  return `No event of ${number} was recorded by ${at}: its first event was recorded at ${String(first.metadata['recorded_at'])}, position ${first.position}.`;
}
