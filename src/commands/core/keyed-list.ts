/** The decider of a short list of a business: items by key, with a maximum number, and one event per change. */
import { isDeepStrictEqual } from 'node:util';
import type { ItemKey, KeyedList } from '../../events/core/keyed-list.js';
import type { Decider } from './decider.js';
import { DomainError, type CodeWithRowInMessages } from './domain-error.js';
import { entity, newEvent, type EntityCommand, type EntityState } from './entity.js';

/** `put` creates an item or replaces it. `change` keeps members that are absent and clears those that are null. */
export type KeyedListChange<Item> =
  | { readonly do: 'put'; readonly item: Item }
  | { readonly do: 'change'; readonly key: ItemKey; readonly members: Changes<Item> }
  | { readonly do: 'remove'; readonly key: ItemKey };
type Changes<Item> = { readonly [Name in keyof Item]?: Item[Name] | null };

/** `id`: the business. */
export type KeyedListCommand<Item> = EntityCommand & { readonly id: number } & KeyedListChange<Item>;

export interface KeyedListRules<Item> extends KeyedList<Item> {
  /** Maximum number of items of a business. */
  readonly most: number;
  readonly notFound: CodeWithRowInMessages;
  /** Has the parameter `most`. */
  readonly tooMany: CodeWithRowInMessages;
}

/** Items as stored in the log. */
type Items = Map<ItemKey, object>;

/** An item as stored in the log, without null members. */
const stored = (item: object): object =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)))) as object;
const itemOf = ({ business: _business, ...item }: { readonly business?: unknown }): object => stored(item);

/** The reply is the item after the command; undefined after its removal. */
export function keyedList<Item extends object>(
  rules: KeyedListRules<Item>,
): Decider<EntityState<Items>, KeyedListCommand<Item>, Item | undefined> {
  const { prefix, key, saved, removed, most, notFound, tooMany } = rules;
  const keyOf = (command: KeyedListChange<Item>): ItemKey =>
    command.do === 'put' ? (command.item[key] as ItemKey) : command.key;

  const list = entity<Items, KeyedListCommand<Item>>({
    name: prefix,
    makes: 'put',
    madeOnce: false,
    notFound,
    initial: () => new Map(),
    decide(items, command) {
      const known = items.get(keyOf(command));
      if (command.do !== 'put' && !known) throw new DomainError(notFound);
      if (command.do === 'remove') return newEvent(removed, { [key]: command.key });
      const item = stored(command.do === 'put' ? command.item : { ...known, ...command.members, [key]: command.key });
      if (isDeepStrictEqual(known, item)) return undefined;
      if (!known && items.size >= most) throw new DomainError(tooMany, { most });
      return newEvent(saved, { ...(item as Item), business: command.business });
    },
    evolve(items, { type, data }) {
      const id = data[key] as ItemKey;
      if (type === saved.type) items.set(id, itemOf(data));
      if (type === removed.type) items.delete(id);
      return items;
    },
  });

  return {
    ...list,
    decide(state, command) {
      const { facts } = list.decide(state, command);
      if (command.do === 'remove') return { facts, reply: undefined };
      const item = facts[0] ? itemOf(facts[0].data as object) : state.own.get(keyOf(command));
      return { facts, reply: item as Item | undefined };
    },
  };
}
