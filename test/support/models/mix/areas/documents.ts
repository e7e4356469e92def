/**
 * Random documents that are issued and linked to orders and users. They have no table, but the log's indexes contain
 * them.
 */
import { documents, links } from '../../../../../src/commands/documents/decider.js';
import { documentStream, linkStream } from '../../../../../src/events/documents/events.js';
import { orderStream } from '../../../../../src/events/orders/events.js';
import { generator, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const fileOf = ({ id, business }: Tools, pick: Pick) => {
  const number = id(pick.of(20));
  return { sha256: String(number), kind: 'label' as const, number: `L-${number}`, business };
};

export const MIX = generator({
  issue: (tools, pick) => {
    const file = fileOf(tools, pick);
    const drawn = { bytes: pick.of(900), pages: pick.of(3), made_by: 'label@1' };
    return tools.send(documents, documentStream(file.sha256), { ...file, ...drawn });
  },
  link: (tools, pick) => {
    const file = fileOf(tools, pick);
    const subjects = [orderStream(tools.id(pick.of(9))), orderStream(tools.id(10 + pick.of(9)))];
    return tools.send(links, linkStream(file.sha256), { ...file, subjects });
  },
});
