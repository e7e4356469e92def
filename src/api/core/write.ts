/** Writes of operations: sends a command to the stream of a resource and passes the position to the caller. */
import type { EntityCommand } from '../../commands/core/entity.js';
import type { Handle } from '../../commands/core/handle.js';
import type { KeyedListCommand, KeyedListChange } from '../../commands/core/keyed-list.js';
import { listStream, type KeyedList } from '../../events/core/keyed-list.js';
import { businessOf } from './callers.js';
import type { Context } from './operation.js';

/** A command without the members that every command of an operation has. */
export type CommandBody<C> = C extends unknown ? Omit<C, 'id' | 'business' | 'commandId'> : never;

/** Sends commands of the caller's business; returns the decider's reply. */
export const createWrite =
  <C extends EntityCommand & { readonly id: number }, R>(handle: Handle<C, R>, streamOf: (id: number) => string) =>
  async (id: number, { caller, commandId, cause, wrote }: Context, body: CommandBody<C>): Promise<R> => {
    const command = { ...body, id, business: businessOf(caller), commandId } as unknown as C;
    const { reply, position } = await handle(streamOf(id), command, cause);
    wrote(position);
    return reply;
  };

/** Changes the keyed list of the caller's business; returns the item after the change. */
export interface ListWrite<Item> {
  (context: Context, change: KeyedListChange<Item>): Promise<Item | undefined>;
}

export function createListWrite<Item>(
  handle: Handle<KeyedListCommand<Item>, Item | undefined>,
  list: KeyedList<Item>,
): ListWrite<Item> {
  const write = createWrite(handle, (business) => listStream(list, business));
  return (context, change) => write(businessOf(context.caller), context, change as CommandBody<KeyedListCommand<Item>>);
}
