/** Old and new values of the orders and other resources that a proposal changes. */
import { element, visible } from './dom.js';
import type { Change, Proposal } from './proposal.js';
import { text } from './texts.js';

const MAX_LISTED = 60;

/** `09:00-12:00`, an address on one line, or the value itself. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return text('empty');
  if (Array.isArray(value)) return value.length === 0 ? text('empty') : value.map(valueText).join('; ');
  if (typeof value !== 'object') return visible(String(value));
  const { from, to, stop } = value as Readonly<Record<string, unknown>>;
  if (typeof from === 'string' && typeof to === 'string')
    return visible(`${from}-${to}${stop === 'pickup' ? ` (${stop})` : ''}`);
  return Object.values(value).map(valueText).join(', ');
}

/** `SHOP-4711, Ada Lovelace, Hamburg`; undefined for another resource than an order. */
export function orderText({ order_id, order_ref, recipient }: Change): string | undefined {
  const parts = [order_ref ?? (order_id === null ? undefined : text('orderNumber', { id: order_id })), recipient];
  const known = parts.filter((part) => part !== undefined && part !== null);
  return known.length === 0 ? undefined : visible(known.join(', '));
}

/** The first change on one line: `time_windows: 09:00-12:00 → 14:00-16:00`. */
export function mainChange({ changes = [], change_count = 0 }: Proposal): string | undefined {
  const [first] = changes;
  if (!first) return undefined;
  const [name] = Object.keys(first.new);
  const values =
    name === undefined
      ? undefined
      : first.order_id === null && first.resource === 'order'
        ? text('newOrder')
        : `${visible(name)}: ${short(oldText(first, name))} → ${short(valueText(first.new[name]))}`;
  const more = change_count > 1 ? text('more', { count: change_count - 1 }) : undefined;
  return [orderText(first), values, more].filter((part) => part !== undefined).join(' · ');
}

/** A table of all values, for each resource. */
export function changesView({ changes = [], change_count = 0 }: Proposal): HTMLElement[] {
  if (changes.length === 0) return [];
  const hidden = change_count - changes.length;
  return [
    ...changes.flatMap((change) => [
      element('h4', { class: 'agent' }, orderText(change) ?? visible(change.resource)),
      Object.keys(change.new).length === 0 ? element('p', {}, text('named')) : valuesTable(change),
    ]),
    ...(hidden > 0 ? [element('p', { class: 'note' }, text('more', { count: hidden }))] : []),
  ];
}

function valuesTable(change: Change): HTMLElement {
  const cell = (content: string) => element('td', { class: 'agent' }, content);
  return element(
    'table',
    { class: 'changes' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...(['field', 'before', 'after'] as const).map((name) => element('th', { scope: 'col' }, text(name))),
      ),
    ),
    element(
      'tbody',
      {},
      ...Object.keys(change.new).map((name) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, visible(name)),
          cell(oldText(change, name)),
          cell(valueText(change.new[name])),
        ),
      ),
    ),
  );
}

const oldText = ({ old, order_id, resource }: Change, name: string): string =>
  old === null ? text(order_id === null && resource === 'order' ? 'newOrder' : 'unknown') : valueText(old[name]);

const short = (value: string): string => (value.length > MAX_LISTED ? `${value.slice(0, MAX_LISTED)}…` : value);
