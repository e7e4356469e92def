/**
 * Extension fields (`x-...`) of an event: any JSON, stored and returned unchanged. Other unknown fields are dropped.
 */
import type { Json, JsonObject } from '../../core/log.js';
import { report, segment, type Findings } from './findings.js';
import { dropUnknown, isClean, otherKeys, reportFlaws } from './members.js';
import { LIMITS } from './limits.js';

export type ValidExtensions = { readonly [key: `x-${string}`]: Json };

const NONE: ValidExtensions = Object.freeze({});

/** The extension fields of an event: all members that `readers` does not name. */
export function readExtensions(value: JsonObject, readers: object, path: string, out: Findings): ValidExtensions {
  const keys = otherKeys(value, readers);
  if (keys.length === 0) return NONE;
  const valid: { [key: `x-${string}`]: Json } = {};
  let count = 0;
  for (const key of keys) {
    if (!isExtension(key)) dropUnknown(key, value[key], path, out);
    else if ((count += 1) <= LIMITS.extensions && isSound(key, value[key], path, out)) valid[key] = value[key]!;
  }
  if (count > LIMITS.extensions) report(out, 'TOO_MANY_EXTENSIONS', path, { max: LIMITS.extensions });
  if (count > 0 && Buffer.byteLength(JSON.stringify(valid)) > LIMITS.extensionBytes)
    report(out, 'EXTENSIONS_TOO_LARGE', path, { max: LIMITS.extensionBytes });
  return valid;
}

const isExtension = (key: string): key is `x-${string}` => key.startsWith('x-') && key.length > 2;

function isSound(key: string, value: unknown, path: string, out: Findings): boolean {
  const place = `${path}/${segment(key)}`;
  const isNamed = key.length <= LIMITS.extensionName && isClean(key);
  if (key.length > LIMITS.extensionName) report(out, 'TOO_LONG', place, { max: LIMITS.extensionName });
  else if (!isClean(key)) report(out, 'INVALID_TEXT', place);
  return !reportFlaws(value, place, out) && isNamed;
}
