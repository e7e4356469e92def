/**
 * Builds the text from which the event hash is computed, member by member. Each member is `name=value` in a given
 * order, and lists are sorted. Extensions follow after the members that the order lists.
 */
import { instantOf } from '../../events/otep/time.js';
import { expand, type Prefixes } from './context.js';
import { webUri, type Vocabulary } from './names.js';
import { isRecord, type JsonRecord } from './records.js';
import { nativeTime } from './times.js';
import { GS1 } from './vocabulary.js';

type Text = (name: string, given: unknown, rules: Rules) => string;

/** Returns the text of a member: its name and value, or an empty text if the member has no content. */
export interface MemberWriter extends Text {
  /** Returns the part of the member that the 2.0 layout places after all members of the event. */
  readonly deferred?: Text;
}

/** Options that the rules leave open. */
export interface Form {
  readonly order: Order;
  /** `rdfs:comment` is part of the hash, at any depth. */
  readonly comments: boolean;
  readonly canonicalUri: (uri: string) => string;
  /**
   * `2.0`: extensions of a place or a sensor element follow after all members of the event, and the list of sensor
   * elements has no name. `2.1`: extensions stay inside their member, and that list is named like all others.
   */
  readonly layout: '2.0' | '2.1';
  /** Namespace of the names of measurements. */
  readonly measurements: string;
  /** Strings that look like numbers are treated as numbers. */
  readonly numbers: boolean;
  /** Namespace of the CBV's master data. It ends with a colon in JSON, and without one in XML. */
  readonly masterData: string;
}

export interface Rules {
  readonly prefixes: Prefixes;
  readonly form: Form;
}

export type Order = ReadonlyMap<string, MemberWriter>;

/** Joins the sorted items of a list. JSON-LD treats one value and a list with one value alike. */
function each(given: unknown, write: (item: unknown) => string): string {
  return Array.isArray(given) ? sorted(given.map(write)).join('') : write(given);
}

/** A single value: `name=value`. */
const value =
  (canonical: (text: string, rules: Rules) => string): MemberWriter =>
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
export const term = (vocabulary: Vocabulary): MemberWriter =>
  value((given, { prefixes, form }) => {
    const full = webUri(given, vocabulary, prefixes);
    return full.startsWith(GS1) ? form.measurements + full.slice(GS1.length) : full;
  });
export const time = value(inMilliseconds);

/**
 * Writes the name once, then the items under `inner`, which may be empty. With `since`, the name is written only in
 * that layout.
 */
export const list = (inner: string, write: MemberWriter, since?: '2.1'): MemberWriter => {
  const whole: Text = (name, given, rules) => {
    const written = write(inner, given, rules);
    return since !== undefined && rules.form.layout !== since ? written : named(name, written);
  };
  return write.deferred === undefined
    ? whole
    : Object.assign(whole, {
        deferred: (_name: string, given: unknown, rules: Rules) => write.deferred!(inner, given, rules),
      });
};

/**
 * Writes the name, then the members in the given order. In layout 2.1 the extensions follow; in 2.0 `deferred` returns
 * them.
 */
export const record = (order: readonly (readonly [string, MemberWriter])[]): MemberWriter => {
  const ordered: Order = new Map(order);
  const whole: Text = (name, given, rules) =>
    each(given, (item) => {
      if (!isRecord(item)) return '';
      const known = inOrder(item, ordered, rules);
      return named(name, rules.form.layout === '2.0' ? known : known + othersOf(item, ordered, NONE, rules));
    });
  const deferred: Text = (name, given, rules) =>
    each(given, (item) => (isRecord(item) ? named(name, deferredOf(item, ordered, NONE, rules)) : ''));
  return Object.assign(whole, { deferred });
};

/** An extension member of any form and depth. It is part of the hash even if it is empty. */
const extension: MemberWriter = (name, given, rules) =>
  each(given, (item) =>
    isRecord(item) ? name + membersOf(item, NO_ORDER, NONE, rules) : uri(name, item, rules) || name,
  );

export const ownMembers: MemberWriter = (name, given, rules) =>
  isRecord(given) ? named(name, membersOf(given, NO_ORDER, NONE, rules)) : '';

const named = (name: string, written: string): string => (written === '' ? '' : name + written);

/** Returns the members in their order, followed by the members that the order does not list. */
export function membersOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, rules: Rules): string {
  const rest = rules.form.layout === '2.0' ? deferredOf : othersOf;
  return inOrder(given, order, rules) + rest(given, order, uncounted, rules);
}

function inOrder(given: JsonRecord, order: Order, rules: Rules): string {
  let out = '';
  for (const [name, write] of order) if (given[name] !== undefined) out += write(name, given[name], rules);
  return out;
}

/** Returns the deferred parts of the ordered members, then the extensions. */
function deferredOf(given: JsonRecord, order: Order, uncounted: ReadonlySet<string>, rules: Rules): string {
  let out = '';
  for (const [name, write] of order)
    if (write.deferred !== undefined && given[name] !== undefined) out += write.deferred(name, given[name], rules);
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

/** Writes a full name as `{namespace}local`; a name without a namespace is unchanged. */
function qualified(full: string, { masterData }: Form): string {
  if (full.startsWith(MASTER_DATA)) return `{${masterData}}${full.slice(MASTER_DATA.length)}`;
  const end = Math.max(full.lastIndexOf('/'), full.lastIndexOf('#'), full.lastIndexOf(':')) + 1;
  return end === 0 ? full : `{${full.slice(0, end)}}${full.slice(end)}`;
}

/**
 * Sorts by code point. This is the order of UTF-8 bytes; JavaScript's own order differs only if there are surrogates.
 */
const sorted = (texts: string[]): string[] =>
  texts.some((text) => /[\ud800-\udfff]/.test(text))
    ? texts.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : texts.sort();

const asNumber = (text: string, { form }: Rules): string =>
  form.numbers && /^[+-]?\d+(?:\.\d+)?$/.test(text) ? plain(Number(text)) : text;

/** Writes a number without an exponent and without trailing zeros. */
function plain(number: number): string {
  const [shortest, exponent] = String(number).split('e') as [string, string?];
  if (exponent === undefined) return shortest;
  const [sign, whole, fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(shortest)!.slice(1) as [string, string, string?];
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
    : sign + whole + fraction.padEnd(shift, '0');
}

/**
 * Converts a time to UTC with exactly three decimals, rounding half a millisecond up. Other text is returned unchanged.
 */
function inMilliseconds(given: string): string {
  const native = nativeTime(given);
  const instant = native === null ? null : instantOf(native);
  if (instant === null) return given;
  const up = instant.charCodeAt(23) >= 53 ? 1 : 0;
  return new Date(Date.parse(`${instant.slice(0, 23)}Z`) + up).toISOString();
}
