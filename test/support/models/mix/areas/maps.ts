/** Random commands to maps. */
import { maps, type MapChange } from '../../../../../src/commands/maps/decider.js';
import { layerSchema, mapStream, viewSchema } from '../../../../../src/events/maps/events.js';
import { generator, rarely, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = ({ send: to, business }: Tools, id: number, body: MapChange) =>
  to(maps, mapStream(id), { ...body, id, business, mayPublish: true });
const change = (tools: Tools, pick: Pick, body: MapChange) => send(tools, tools.existing(pick), body);
const layersOf = (pick: Pick) =>
  pick.some(1, 2).map((number) => ({ ...pick.like(layerSchema), layer_id: `L${number}`, personal: pick.of(4) === 1 }));

export const MIX = generator({
  create: (tools, pick) =>
    send(tools, tools.fresh(), {
      do: 'create',
      name: `Map ${pick.of(9)}`,
      view: pick.like(viewSchema),
      layers: layersOf(pick),
    }),
  rename: (tools, pick) => change(tools, pick, { do: 'change', name: `Map ${pick.of(9)}` }),
  look: (tools, pick) => change(tools, pick, { do: 'change', view: pick.like(viewSchema) }),
  draw: (tools, pick) => change(tools, pick, { do: 'change', layers: layersOf(pick) }),
  publish: (tools, pick) =>
    change(tools, pick, {
      do: 'publish',
      tokenSha256: String(pick.of(900)),
      allowedOrigins: pick.some('https://example.org'),
      expiresAt: pick.one(undefined, tools.at(24)),
    }),
  unpublish: (tools, pick) => change(tools, pick, { do: 'unpublish' }),
  archive: (tools, pick) => rarely(pick, 2, () => change(tools, pick, { do: 'archive' })),
});
