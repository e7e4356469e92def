/**
 * Reads the members of untrusted JSON objects: copies own members into new objects, and reports a finding for
 * everything else.
 */
import type { JsonObject } from '../../core/log.js';
import { report, segment, shown, type FindingCode, type Findings } from './findings.js';
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
  else if (!reportFlaw(value, place, out)) report(out, 'UNKNOWN_FIELD', place, { field: shown(key) });
}

/**
 * Reports a finding, and returns true, if JSON columns cannot store the value: ill-formed text, an infinite number, or
 * too deep nesting.
 */
export function reportFlaw(value: unknown, path: string, out: Findings): boolean {
  const flaw = flawOf(value, path, 0);
  if (flaw) report(out, flaw.code, flaw.path, flaw.code === 'TOO_DEEP' ? { max: LIMITS.depth } : undefined);
  return flaw !== undefined;
}

interface Flaw {
  readonly code: FindingCode;
  readonly path: string;
}

function flawOf(value: unknown, path: string, depth: number): Flaw | undefined {
  if (typeof value === 'string') return isClean(value) ? undefined : { code: 'INVALID_TEXT', path };
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { code: 'INVALID_NUMBER', path };
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= LIMITS.depth) return { code: 'TOO_DEEP', path };
  for (const [key, member] of Object.entries(value)) {
    const place = `${path}/${segment(key)}`;
    const flaw = isClean(key) ? flawOf(member, place, depth + 1) : { code: 'INVALID_TEXT' as const, path: place };
    if (flaw) return flaw;
  }
  return undefined;
}
