/**
 * The examples in the documentation of the formats equal the output of the code: one parcel, converted from its native
 * form, member by member (B7).
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readEvent } from '../../src/events/otep/check/event.js';
import { STATUS_CODES } from '../../src/events/otep/codes.js';
import { INCIDENT_REASONS } from '../../src/events/otep/reasons.js';
import { PROFILE, type Journey, type Timeline } from '../../src/events/otep/model.js';
import { journeyOfRow } from '../../src/projections/trackings/journeys.js';
import { FORMATS } from '../../src/serializers/index.js';
import { record } from '../support/worlds/recording.js';
import { NOW } from '../support/inputs/timelines.js';

const CONTEXT = { baseUrl: 'http://127.0.0.1:8080' };
/** Later than the parcel's scans. */
const READ_AT = NOW.replace(/^\d{4}/, (year) => String(Number(year) + 1));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The JSON block that follows each match of `heading`, by the first group of the match. */
function blocksOf(text: string, heading: RegExp): Map<string, unknown> {
  return new Map(
    [...text.matchAll(heading)].map(({ 1: name, index }) => {
      const start = text.indexOf('```json\n', index) + 8;
      return [name ?? 'otep', JSON.parse(text.slice(start, text.indexOf('\n```', start)))];
    }),
  );
}

/** The rows below the head of a table, as cells without backquotes. */
function rowsBelow(text: string, head: string): string[][] {
  const lines = text.slice(text.indexOf(head)).split('\n').slice(2);
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

/**
 * The journey whose public native form the documentation shows. Pushed to a tracking with the same name, it gets the
 * same ids.
 */
async function journeyShown({ subject, events }: Timeline): Promise<Journey> {
  const row = await record(
    subject,
    events.map((event) => {
      const { recorded_at: _ours, ...withoutTime } = event;
      return readEvent(withoutTime, { path: '', now: READ_AT, profile: PROFILE }).event!;
    }),
  );
  const recordedAt = new Map(events.map(({ event_id, recorded_at }) => [event_id, recorded_at!]));
  return journeyOfRow(
    { ...row, scans: row.scans.map((scan) => ({ ...scan, recorded_at: recordedAt.get(scan.event_id)! })) },
    { kind: 'public' },
    READ_AT,
  );
}

describe('the documentation', () => {
  it('shows one parcel in six formats as the service returns it', async () => {
    const shown = blocksOf(readFileSync('docs/formats.md', 'utf8'), /^## (\w+)$\n\n```json/gm);
    expect([...shown.keys()]).to.have.length(6);
    const of = await journeyShown(shown.get('otep') as Timeline);
    for (const [name, value] of shown)
      expect(plain(FORMATS.find((format) => format.name === name)!.serialize(of, CONTEXT)), name).to.deep.equal(value);
  });

  it('lists the codes and reasons of the protocol completely', () => {
    const text = readFileSync('docs/otep.md', 'utf8');
    expect(rowsBelow(text, '| code | phase |')).to.deep.equal(
      STATUS_CODES.map(({ code, phase, terminal, rec24 }) => [code, phase, terminal ?? '', rec24]),
    );
    expect(rowsBelow(text, '| incident reason |')).to.deep.equal(
      INCIDENT_REASONS.map(({ code, rec24 }) => [code, rec24 ?? '']),
    );
  });

  it('lists the formats completely', () => {
    const table = readFileSync('docs/formats.md', 'utf8')
      .split('\n')
      .filter((line) => /^\| [a-z]+ \| application/.test(line));
    expect(table).to.deep.equal(
      FORMATS.map(({ name, mediaType, variants = [], standard, version, direction, lost }) => {
        const mediaTypes = [mediaType, ...variants.map((variant) => variant.mediaType)].join('<br>');
        return `| ${[name, mediaTypes, standard, version, direction, lost.join('; ') || 'nothing'].join(' | ')} |`;
      }),
    );
  });

  it('shows the parcel of the tour as the service returns it', async () => {
    const readme = readFileSync('docs/tour.md', 'utf8');
    const shown = blocksOf(readme, /^curl -s "?\$BASE\/api\/v1\/otep\/trackings\/\w+(?:\?format=(\w+)")?$/gm);
    expect(shown.size).to.equal(2);
    const of = await journeyShown(shown.get('otep') as Timeline);
    expect(plain(of.timeline)).to.deep.equal(shown.get('otep'));
    expect(plain(FORMATS.find(({ name }) => name === 'shopify')!.serialize(of, CONTEXT))).to.deep.equal(
      shown.get('shopify'),
    );
    expect(readme).to.contain(FORMATS.map(({ name }) => `\`${name}\``).join(', '));
  });
});
