/** Random pushes of events whose raw code no table contains, and the status that some of them get later. */
import { trackings } from '../../../../../src/commands/trackings/decider.js';
import { UNMAPPED } from '../../../../../src/events/otep/codes.js';
import { OTEP_VERSION, PROFILE } from '../../../../../src/events/otep/model.js';
import { trackingId, trackingStream, type RecordedScan } from '../../../../../src/events/trackings/events.js';
import { generator, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const PROVIDER = 'mix-carrier';

/** Pushes one of few events with a status. */
function pushWith(status_code: string, { send, at }: Tools, pick: Pick) {
  const number = `KEPT${pick.of(3)}`;
  const owner = { kind: 'provider', id: PROVIDER } as const;
  const id = trackingId(owner, number, 0);
  const scan: RecordedScan = {
    event_id: `urn:example:kept:${pick.of(3)}`,
    provider: PROVIDER,
    otep_version: OTEP_VERSION,
    occurred_at: at(0),
    instant: at(0).replace('Z', '000000Z'),
    status_code,
    raw: { code: 'ZZ', text: 'Handed to Ada' },
  };
  return send(trackings, trackingStream(id), {
    kind: 'push',
    id,
    provider: PROVIDER,
    subject: { tracking_number: number },
    pushed: [{ scan }],
    opening: { owner, number, generation: 0, profile: PROFILE },
  });
}

export const MIX = generator({
  keep: (tools, pick) => pushWith(UNMAPPED, tools, pick),
  map: (tools, pick) => pushWith('received', tools, pick),
});
