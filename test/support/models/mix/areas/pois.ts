/** Random commands to points of interest. */
import { pois, type PoiChange } from '../../../../../src/commands/pois/decider.js';
import { placeSchema, poiStream } from '../../../../../src/events/pois/events.js';
import { generator, type Tools } from '../generator.js';

const send = ({ send: to, business }: Tools, id: number, body: PoiChange) =>
  to(pois, poiStream(id), { ...body, id, business });

export const MIX = generator({
  create: (tools, pick) => send(tools, tools.fresh(), { do: 'create', place: pick.like(placeSchema) }),
  change: (tools, pick) => send(tools, tools.existing(pick), { do: 'change', place: pick.like(placeSchema.partial()) }),
  archive: (tools, pick) => send(tools, tools.existing(pick), { do: 'archive' }),
});
