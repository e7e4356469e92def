/**
 * The text that an event hash is made of, member by member: `name=value` in a given order, lists sorted, everybody's
 * extensions after the members that have a place.
 */
import { instantOf } from '../../events/otep/time.js';
import { expand, type Prefixes } from './context.js';
import { webUri, type Vocabulary } from './names.js';
import { isRecord, type JsonRecord } from './records.js';
import { nativeTime } from './times.js';
import { GS1 } from './vocabulary.js';

type Text = (name: string, given: unknown, rules: Rules) => string;

/** What a member adds: its name and value, or nothing where it says nothing. */
export interface Say extends Text {
  /** What of it stands behind all members of the event, where the layout puts that there. */
  readonly apart?: Text;
}

/** Where the rules leave a choice. */
export interface Form {
  readonly order: Order;
  /** `rdfs:comment` counts, at any depth. */
  readonly comments: boolean;
  readonly canonicalUri: (uri: string) => string;
  /**
   * `2.0`: extensions of a place or a sensor element stand behind all members of the event, and the list of sensor
   * elements has no name. `2.1`: extensions stay where they are, and that list is named as all others are.
   */
  readonly layout: '2.0' | '2.1';
  /** Namespace of the measurements' names. */
  readonly measurements: string;
  /** Texts that look like numbers are numbers. */
  readonly numbers: boolean;
  /** Namespace of the CBV's master data: the colon belongs to it in JSON, and not in XML. */
  readonly masterData: string;
}

export interface Rules {
  readonly prefixes: Prefixes;
  readonly form: Form;
}

export type Order = ReadonlyMap<string, Say>;

/** A list is its items, sorted; JSON-LD makes no difference between one value and a list of one. */
function each(given: unknown, say: (item: unknown) => string): string {
  return Array.isArray(given) ? sorted(given.map(say)).join('') : say(given);
}

/** A single value: `name=value`. */
const value =
  (canonical: (text: string, rules: Rules) => string): Say =>
  (name, given, rules) =>
    each(given, (item) => {
      const text =
        typeof item === 'string'
          ? asNumber(canonical(item.trim(), rules), rules)
          : typeof item === 'number'
            ? plain(item)
            : typeof item === 'boolean'
              ? String(item)
              : '';
      return text === '' ? '' : `${name}=${text}`;
    });

export const text = value((given) => given);
export const uri = value((given, { prefixes, form }) => form.canonicalUri(expand(given, prefixes)));
export const term = (vocabulary: Vocabulary): Say =>
  value((given, { prefixes, form }) => {
    const full = webUri(given, vocabulary, prefixes);
    return full.startsWith(GS1) ? form.measurements + full.slice(GS1.length) : full;
  });
export const time = value(inMilliseconds);

/**
 * The name once, then its items under a name of their own, which may be empty. `since` is the layout from which on the
 * name is said.
 */
export const list = (inner: string, say: Say, since?: '2.1'): Say => {
  const whole: Text = (name, given, rules) => {
    const said = say(inner, given, rules);
    return since !== undefined && rules.form.layout !== since ? said : named(name, said);
  };
  return say.apart === undefined
    ? whole
    : Object.assign(whole, { apart: (_name: string, given: unknown, rules: Rules) => say.apart!(inner, given, rules) });
};

/** The name, then the members in the given order and everybody's extensions behind them, or apart from them. */
export const record = (order: readonly (readonly [string, Say])[]): Say => {
  const ordered: Order = new Map(order);
  const whole: Text = (name, given, rules) =>
    each(given, (item) => {
      if (!isRecord(item)) return '';
      const known = inOrder(item, ordered, rules);
      return named(name, rules.form.layout === '2.0' ? known : known + othersOf(item, ordered, NONE, rules));
    });
  const apart: Text = (name, given, rules) =>
    each(given, (item) => (isRecord(item) ? named(name, apartOf(item, ordered, NONE, rules)) : ''));
  return Object.assign(whole, { apart });
};

/** Somebody's own member, of any form and depth; it counts even when it is empty. */
const extension: Say = (name, given, rules) =>
  each(given, (item) =>
    isRecord(item) ? name + membersOf(item, NO_ORDER, NONE, rules) : uri(name, item, rules) || name,
  );

export const ownMembers: Say = (name, given, rules) =>
  isRecord(given) ? named(name, membersOf(given, NO_ORDER, NONE, rules)) : '';

const named = (name: string, said: string): string => (said === '' ? '' : name + said);

/** Members in their order, and behind them what has no place. */
export function membersOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, rules: Rules): string {
  const rest = rules.form.layout === '2.0' ? apartOf : othersOf;
  return inOrder(given, order, rules) + rest(given, order, uncounted, rules);
}

function inOrder(given: JsonRecord, order: Order, rules: Rules): string {
  let out = '';
  for (const [name, say] of order) if (given[name] !== undefined) out += say(name, given[name], rules);
  return out;
}

/** What the members in order have left out, then everybody's extensions. */
function apartOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, rules: Rules): string {
  let out = '';
  for (const [name, say] of order)
    if (say.apart !== undefined && given[name] !== undefined) out += say.apart(name, given[name], rules);
  return out + othersOf(given, order, uncounted, rules);
}

function othersOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, rules: Rules): string {
  const others: string[] = [];
  for (const name in given) {
    if (order.has(name) || uncounted.has(name)) continue;
    const full = expand(name, rules.prefixes);
    if (full !== COMMENT || rules.form.comments)
      others.push(extension(qualified(full, rules.form), given[name], rules));
  }
  return sorted(others).join('');
}

export const MASTER_DATA = 'urn:epcglobal:cbv:mda:';
const COMMENT = 'http://www.w3.org/2000/01/rdf-schema#comment';

const NO_ORDER: Order = new Map();
export const NONE: ReadonlySet<string> = new Set();

/** `{namespace}local` of a full name; a name without namespace as it is. */
function qualified(full: string, { masterData }: Form): string {
  if (full.startsWith(MASTER_DATA)) return `{${masterData}}${full.slice(MASTER_DATA.length)}`;
  const end = Math.max(full.lastIndexOf('/'), full.lastIndexOf('#'), full.lastIndexOf(':')) + 1;
  return end === 0 ? full : `{${full.slice(0, end)}}${full.slice(end)}`;
}

/** By code point: the order of UTF-8 bytes, which is that of JavaScript unless there are surrogates. */
const sorted = (texts: string[]): string[] =>
  texts.some((text) => /[\ud800-\udfff]/.test(text))
    ? texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : texts.sort();

const asNumber = (text: string, { form }: Rules): string =>
  form.numbers && /^[+-]?\d+(?:\.\d+)?$/.test(text) ? plain(Number(text)) : text;

/** A number without exponent and without zeros at its end. */
function plain(number: number): string {
  const [shortest, exponent] = String(number).split('e') as [string, string?];
  if (exponent === undefined) return shortest;
  const [sign, whole, fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(shortest)!.slice(1) as [string, string, string?];
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
    : sign + whole + fraction.padEnd(shift, '0');
}

/** UTC with exactly three decimals, half a millisecond rounded up; what is no time stays as it is. */
function inMilliseconds(given: string): string {
  const native = nativeTime(given);
  const instant = native === null ? null : instantOf(native);
  if (instant === null) return given;
  const up = instant.charCodeAt(23) >= 53 ? 1 : 0;
  return new Date(Date.parse(`${instant.slice(0, 23)}Z`) + up).toISOString();
}
