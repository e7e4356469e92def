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
import { generator, type Tools, type CommandBody } from '../generator.js';
import type { Pick } from '../pick.js';

const DRIVERS = 2;

type DriverChange = CommandBody<DriverCommand, 'userId'>;
const sendTo = ({ sendThrough, core, business }: Tools, userId: number, body: DriverChange) =>
  sendThrough(core.commands.drivers, driverStream(userId), { by: 1, ...body, userId, business } as never);
const send = (tools: Tools, pick: Pick, body: DriverChange) => sendTo(tools, tools.id(pick.of(DRIVERS)), body);
/** The id of a document is unique among all drivers. */
const documentName = (id: number): string => `paper-${id}`;
const holder = ({ id }: Tools, document: number): number => id(1 + (document % DRIVERS));
const onDocument = (tools: Tools, document: number, body: DriverChange) => sendTo(tools, holder(tools, document), body);
const route = (pick: Pick): string => routeOf(pick.of(5));

export const MIX = generator({
  setCapacity: (tools, pick) =>
    send(tools, pick, { do: 'setCapacity', capacity: pick.like(DriverCapacitySet.schema).capacity }),
  setSkills: (tools, pick) => send(tools, pick, { do: 'setSkills', skills: pick.like(DriverSkillsSet.schema).skills }),
  setProfile: (tools, pick) => send(tools, pick, { do: 'setProfile', profile: pick.like(profileSchema) }),
  submitDocument: (tools, pick) => {
    const id = tools.fresh();
    return onDocument(tools, id, {
      do: 'submitDocument',
      document: {
        ...pick.like(documentSchema),
        document_id: documentName(id),
        kind: pick.one('driving_licence', 'adr'),
        valid_until: pick.one(undefined, tools.at(24 * pick.of(29)).slice(0, 10)),
      },
    });
  },
  verifyDocument: (tools, pick) => {
    const id = tools.existing(pick);
    return onDocument(tools, id, { do: 'verifyDocument', documentId: documentName(id), by: 2 });
  },
  rejectDocument: (tools, pick) => {
    const id = tools.existing(pick);
    return onDocument(tools, id, { do: 'rejectDocument', documentId: documentName(id), reason: 'unreadable', by: 2 });
  },
  remind: (tools, pick) => {
    const id = tools.existing(pick);
    return tools.expire(drivers, driverStream(holder(tools, id)), documentTimer(documentName(id)));
  },
  reserve: (tools, pick) => {
    const from = 24 * pick.of(5);
    const times = { from: tools.at(from), to: tools.at(from + 8), date: tools.at(from).slice(0, 10) };
    return send(tools, pick, { do: 'reserve', reservation: { what: route(pick), ...times, units: 1 }, most: 2 });
  },
  release: (tools, pick) => send(tools, pick, { do: 'release', what: route(pick), why: 'withdrawn' }),
});
