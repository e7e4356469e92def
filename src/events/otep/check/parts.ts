/** Reads the independent parts of an event: location, source, incident reason, raw status, proof. */
import { carrierNamed } from '../carriers/carriers.js';
import { isExperimental } from '../codes.js';
import { isCommonlyUsed, isCountry } from '../countries.js';
import { PROOF_KINDS, SOURCE_TYPES, type Location, type Source, type TimelineEvent } from '../model.js';
import { incidentReason } from '../reasons.js';
import { report, shown } from './findings.js';
import { has, isObject, readObject, requireMember, type Reader, type Readers } from './members.js';
import { degrees, oneOf, text, time, url, word } from './values.js';
import { LIMITS } from './limits.js';

type Reason = NonNullable<TimelineEvent['incident_reason']>;
type Raw = NonNullable<TimelineEvent['raw']>;
type Proof = NonNullable<TimelineEvent['proof']>;

const name = text(LIMITS.name);
const code = text(LIMITS.code);

const country: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined || isCountry(read)) return read;
  if (!isCommonlyUsed(read)) return report(out, 'INVALID_COUNTRY', path);
  report(out, 'UNASSIGNED_COUNTRY', path);
  return read;
};

const LOCATION: Readers<Location> = {
  name,
  code,
  city: name,
  region: name,
  postal_code: text(LIMITS.postalCode),
  country,
  latitude: degrees(90),
  longitude: degrees(180),
};

export const location: Reader<Location> = (value, path, out) => {
  const before = out.errors.length;
  const read = readObject(value, LOCATION, path, out);
  // An invalid coordinate is given, too.
  if (isObject(value) && has(value, 'latitude') !== has(value, 'longitude'))
    report(out, 'INCOMPLETE_COORDINATES', path);
  return out.errors.length > before ? undefined : read;
};

/** Carriers without a table are accepted, because most carriers have none. */
const carrier: Reader<string> = (value, path, out) => {
  const read = code(value, path, out);
  if (read !== undefined && !carrierNamed(read)) report(out, 'UNKNOWN_CARRIER', path, { carrier: shown(read) });
  return read;
};

const SOURCE: Readers<Source> = {
  type: oneOf(SOURCE_TYPES),
  name,
  provider: name,
  ref: name,
  carrier,
  recorded_at: time,
};

export const source: Reader<Source> = (value, path, out) => readObject(value, SOURCE, path, out);

const reasonCode: Reader<string> = (value, path, out) => {
  const read = word(value, path, out);
  if (read === undefined || incidentReason(read)) return read;
  if (read.length > LIMITS.code) return report(out, 'TOO_LONG', path, { max: LIMITS.code });
  const reason = shown(read);
  if (!isExperimental(read)) return report(out, 'UNKNOWN_REASON', path, { reason });
  report(out, 'EXPERIMENTAL_REASON', path, { reason });
  return read;
};

const REASON: Readers<Reason> = { code: reasonCode, text: text(LIMITS.text) };

export const incident: Reader<Reason> = (value, path, out) => {
  if (isObject(value)) requireMember(value, 'code', path, out);
  return readObject(value, REASON, path, out) as Reason | undefined;
};

const RAW: Readers<Raw> = { code, text: text(LIMITS.text) };

export const raw: Reader<Raw> = (value, path, out) => readObject(value, RAW, path, out);

const PROOF: Readers<Proof> = { kind: oneOf(PROOF_KINDS), url };

export const proof: Reader<Proof> = (value, path, out) => {
  if (isObject(value)) requireMember(value, 'kind', path, out);
  return readObject(value, PROOF, path, out) as Proof | undefined;
};
