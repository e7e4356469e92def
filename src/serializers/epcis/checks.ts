/** Building blocks of the structural checks. Each check inspects one value and adds the issues that it finds. */
import { isDeepStrictEqual } from 'node:util';
import type { Issue, IssueCode } from './reading.js';
import { isRecord, type JsonRecord } from './records.js';
import { isDateTime, isZoneOffset } from './times.js';
import { isUri } from './uri.js';

/** Adds the issues of `value` to `issues`. `at` is the JSON Pointer of the value. */
export type Check = (value: unknown, at: string, issues: Issue[]) => void;

const add = (issues: Issue[], code: IssueCode, path: string, message: string): void => {
  issues.push({ code, path, message });
};

const wrongType = (issues: Issue[], at: string, type: string): void => add(issues, 'WRONG_TYPE', at, `must be ${type}`);

/** Accepts a string that passes `test`. */
const textWhere =
  (code: IssueCode, message: string, test: (text: string) => boolean): Check =>
  (value, at, issues) => {
    if (typeof value !== 'string') wrongType(issues, at, 'a string');
    else if (!test(value)) add(issues, code, at, message);
  };

export const anything: Check = () => undefined;
export const text: Check = textWhere('WRONG_TYPE', 'must be a string', () => true);
export const uri: Check = textWhere('NOT_A_URI', 'must be a URI', isUri);
export const time: Check = textWhere('NOT_A_TIME', 'must be an RFC 3339 date-time with offset', isDateTime);
export const zoneOffset: Check = textWhere(
  'NOT_AN_OFFSET',
  'must be an offset from UTC like +01:00, at most 14 hours',
  isZoneOffset,
);
export const matching = (form: RegExp): Check =>
  textWhere('NOT_A_FORM', `must have the form ${form.source}`, (value) => form.test(value));

export const number: Check = (value, at, issues) => {
  if (typeof value !== 'number') wrongType(issues, at, 'a number');
};

export const boolean: Check = (value, at, issues) => {
  if (typeof value !== 'boolean') wrongType(issues, at, 'true or false');
};

/** Accepts one of `words` only. */
export const wordOf = (words: ReadonlySet<string>): Check =>
  textWhere('NOT_A_WORD', `must be one of ${[...words].join(', ')}`, (value) => words.has(value));

/**
 * Accepts one of `words`, or the URI of a custom term. `refused` matches URIs of standard terms, which must be written
 * as words.
 */
export const termOf = (words: ReadonlySet<string>, refused: RegExp): Check =>
  textWhere(
    'NOT_A_WORD',
    `must be one of ${[...words].join(', ')}, or a custom URI`,
    (value) => words.has(value) || (isUri(value) && !refused.test(value)),
  );

export const listOf =
  (item: Check, { min = 0, unique = false }: { min?: number; unique?: boolean } = {}): Check =>
  (value, at, issues) => {
    if (!Array.isArray(value)) return wrongType(issues, at, 'a list');
    if (value.length < min) add(issues, 'TOO_FEW', at, `must have at least ${min} member`);
    if (unique && hasRepeated(value)) add(issues, 'NOT_UNIQUE', at, 'must not contain duplicates');
    for (let index = 0; index < value.length; index += 1) item(value[index], `${at}/${index}`, issues);
  };

function hasRepeated(list: readonly unknown[]): boolean {
  if (list.length < 2) return false;
  if (list.every((item) => typeof item !== 'object')) return new Set(list).size < list.length;
  return list.some((item, index) => list.slice(0, index).some((earlier) => isDeepStrictEqual(item, earlier)));
}

/** Runs `then` if `is` holds for the value, `otherwise` if not. */
export const either =
  (is: (value: unknown) => boolean, then: Check, otherwise: Check): Check =>
  (value, at, issues) =>
    (is(value) ? then : otherwise)(value, at, issues);

export interface RecordOptions {
  readonly required?: readonly string[];
  /**
   * Names that are allowed in addition to `members`: none, only URIs and compact names (the standard's extensions), or
   * any.
   */
  readonly others: 'none' | 'uris' | 'any';
  /** Checks conditions that involve several members. */
  readonly rule?: (value: JsonRecord, at: string, issues: Issue[]) => void;
}

export const recordOf = (
  members: Readonly<Record<string, Check>>,
  { required = [], others, rule }: RecordOptions,
): Check => {
  const checks = new Map(Object.entries(members));
  return (value, at, issues) => {
    if (!isRecord(value)) return wrongType(issues, at, 'an object');
    for (const name of required)
      if (!Object.hasOwn(value, name)) add(issues, 'REQUIRED', `${at}/${name}`, `${name} is required`);
    for (const name in value) {
      const check = checks.get(name);
      if (check !== undefined) check(value[name], `${at}/${name}`, issues);
      else if (others !== 'any' && (others === 'none' || !isUri(name)))
        add(
          issues,
          'UNKNOWN_MEMBER',
          `${at}/${escaped(name)}`,
          `${name} is unknown here; an extension requires a namespace`,
        );
    }
    rule?.(value, at, issues);
  };
};

/** Escapes a member name for use in a JSON Pointer. */
export const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');
