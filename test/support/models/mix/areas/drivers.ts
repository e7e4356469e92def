/** Random commands to drivers: profiles, documents, capacities, skills and reserved time. */
import type { DriverCommand } from '../../../../../src/commands/drivers/decider.js';
import { drivers } from '../../../../../src/commands/drivers/decider.js';
import { routeOf } from '../../../../../src/commands/drivers/time.js';
import { DriverCapacitySet, DriverSkillsSet, driverStream } from '../../../../../src/events/drivers/events.js';
import {
  documentSchema,
  documentTimer,
  profileSchema,
} from '../../../../../src/events/drivers/profile-and-documents.js';
import { generator, type Tools, type Wish } from '../generator.js';
import type { Pick } from '../pick.js';

const DRIVERS = 2;

type DriverWish = Wish<DriverCommand, 'userId'>;
const sendTo = ({ through, room, business }: Tools, userId: number, wish: DriverWish) =>
  through(room.commands.drivers, driverStream(userId), { by: 1, ...wish, userId, business } as never);
const send = (tools: Tools, pick: Pick, wish: DriverWish) => sendTo(tools, tools.id(pick.of(DRIVERS)), wish);
/** The id of a document is unique among all drivers. */
const paper = (id: number): string => `paper-${id}`;
const holder = ({ id }: Tools, document: number): number => id(1 + (document % DRIVERS));
const onPaper = (tools: Tools, document: number, wish: DriverWish) => sendTo(tools, holder(tools, document), wish);
const route = (pick: Pick): string => routeOf(pick.of(5));

export const MIX = generator({
  setCapacity: (tools, pick) =>
    send(tools, pick, { do: 'setCapacity', capacity: pick.like(DriverCapacitySet.schema).capacity }),
  setSkills: (tools, pick) => send(tools, pick, { do: 'setSkills', skills: pick.like(DriverSkillsSet.schema).skills }),
  setProfile: (tools, pick) => send(tools, pick, { do: 'setProfile', profile: pick.like(profileSchema) }),
  submitDocument: (tools, pick) => {
    const id = tools.fresh();
    return onPaper(tools, id, {
      do: 'submitDocument',
      document: {
        ...pick.like(documentSchema),
        document_id: paper(id),
        kind: pick.one('driving_licence', 'adr'),
        valid_until: pick.one(undefined, tools.at(24 * pick.of(29)).slice(0, 10)),
      },
    });
  },
  verifyDocument: (tools, pick) => {
    const id = tools.made(pick);
    return onPaper(tools, id, { do: 'verifyDocument', documentId: paper(id), by: 2 });
  },
  rejectDocument: (tools, pick) => {
    const id = tools.made(pick);
    return onPaper(tools, id, { do: 'rejectDocument', documentId: paper(id), reason: 'unreadable', by: 2 });
  },
  remind: (tools, pick) => {
    const id = tools.made(pick);
    return tools.expire(drivers, driverStream(holder(tools, id)), documentTimer(paper(id)));
  },
  reserve: (tools, pick) => {
    const from = 24 * pick.of(5);
    const times = { from: tools.at(from), to: tools.at(from + 8), date: tools.at(from).slice(0, 10) };
    return send(tools, pick, { do: 'reserve', reservation: { what: route(pick), ...times, units: 1 }, most: 2 });
  },
  release: (tools, pick) => send(tools, pick, { do: 'release', what: route(pick), why: 'withdrawn' }),
});
