/** Checks the protocol version and the profile of a document. */
import { OTEP_VERSION, PROFILE } from '../model.js';
import { report, shown } from './findings.js';
import type { Reader } from './members.js';
import { oneOf, word } from './values.js';

const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5}))?$/;
const [MAJOR, MINOR] = OTEP_VERSION.split('.').map(Number) as [number, number];

/**
 * Accepts the supported version with any patch. A newer minor version is a warning, because it only adds members
 * (semantic versioning). All other versions are errors.
 */
export const version: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined) return undefined;
  const match = VERSION.exec(read);
  if (!match) return report(out, 'INVALID_VERSION', path);
  const params = { version: shown(read), supported: OTEP_VERSION };
  if (Number(match[1]) !== MAJOR || Number(match[2]) < MINOR) return report(out, 'UNSUPPORTED_VERSION', path, params);
  if (Number(match[2]) > MINOR) report(out, 'NEWER_VERSION', path, params);
  return read;
};

const known = oneOf([PROFILE]);

export const profile: Reader<string> = (value, path, out) => {
  if (typeof value === 'string' && value !== PROFILE) return report(out, 'UNKNOWN_PROFILE', path, { allowed: PROFILE });
  return known(value, path, out);
};
