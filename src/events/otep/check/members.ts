/**
 * Reads the members of untrusted JSON objects: copies own members into new objects, and reports a finding for
 * everything else.
 */
import type { JsonObject } from '../../core/log.js';
import { report, segment, shown, type FindingCode, type Findings, type Params } from './findings.js';
import { LIMITS } from './limits.js';

/** Returns the value to keep, or undefined after a finding. */
export type Reader<T> = (value: unknown, path: string, out: Findings) => T | undefined;
export type Readers<T> = { readonly [K in keyof T]-?: Reader<Exclude<T[K], undefined>> };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isClean = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/**
 * Reads the members that `readers` names, in the order of `readers`. Other members get a warning and are dropped.
 * Returns undefined if the value is not an object.
 */
export function readObject<T extends object>(
  value: unknown,
  readers: Readers<T>,
  path: string,
  out: Findings,
): Partial<T> | undefined {
  if (!isObject(value)) return report(out, 'INVALID_TYPE', path, { expected: 'object' });
  const members = readMembers(value, readers, path, out);
  for (const key of otherKeys(value, readers)) dropUnknown(key, value[key], path, out);
  return members;
}

export function readMembers<T extends object>(
  value: JsonObject,
  readers: Readers<T>,
  path: string,
  out: Findings,
): Partial<T> {
  const members: Partial<T> = {};
  for (const key in readers) {
    // Same condition as `has`, but reads the member only once.
    const given = value[key];
    if (given === undefined || !Object.hasOwn(value, key)) continue;
    const member = readers[key](given, `${path}/${key}`, out);
    if (member !== undefined) members[key] = member;
  }
  return members;
}

export const has = (value: JsonObject, key: string): boolean => value[key] !== undefined && Object.hasOwn(value, key);

export const requireMember = (value: JsonObject, key: string, path: string, out: Findings): void => {
  if (!has(value, key)) report(out, 'REQUIRED', `${path}/${key}`);
};

/** Most objects have no other keys, so no array is created for those. */
export function otherKeys(value: JsonObject, readers: object): readonly string[] {
  let others: string[] | undefined;
  for (const key in value) if (!Object.hasOwn(readers, key)) (others ??= []).push(key);
  return others ?? NONE;
}

const NONE: readonly string[] = [];

/** Dropped members are still checked: invalid text is rejected anywhere in a document. */
export function dropUnknown(key: string, value: unknown, path: string, out: Findings): void {
  const place = `${path}/${segment(key)}`;
  if (!isClean(key)) report(out, 'INVALID_TEXT', place);
  else if (!reportFlaws(value, place, out)) report(out, 'UNKNOWN_FIELD', place, { field: shown(key) });
}

/**
 * Reports each part of the value that JSON columns cannot store: ill-formed text, an infinite number, or too deep
 * nesting. Returns whether there is one.
 */
export function reportFlaws(value: unknown, path: string, out: Findings, depth = 0): boolean {
  const flaw = (code: FindingCode, params?: Params): true => {
    report(out, code, path, params);
    return true;
  };
  if (typeof value === 'string') return !isClean(value) && flaw('INVALID_TEXT');
  if (typeof value === 'number') return !Number.isFinite(value) && flaw('INVALID_NUMBER');
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= LIMITS.depth) return flaw('TOO_DEEP', { max: LIMITS.depth });
  let found = false;
  for (const [key, member] of Object.entries(value)) {
    const place = `${path}/${segment(key)}`;
    if (!isClean(key)) {
      report(out, 'INVALID_TEXT', place);
      found = true;
    } else if (reportFlaws(member, place, out, depth + 1)) found = true;
  }
  return found;
}
