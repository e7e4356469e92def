/** Reads the `Retry-After` header of a response (RFC 9110, 10.2.3). */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/** The three forms of an HTTP-date: the current one, and two obsolete ones that recipients must accept. */
const HTTP_DATES = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Returns the requested delay in milliseconds, never negative. Undefined if the header is absent or malformed. `now`:
 * milliseconds since 1970.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = httpDate(value, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** Returns the instant in milliseconds since 1970; undefined if the text is no HTTP-date. */
function httpDate(text: string, now: number): number | undefined {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find(Boolean);
  if (!parts) return undefined;
  const { year, month, day, hour, minute, second } = parts as Readonly<Record<string, string>>;
  const date = new Date(0);
  date.setUTCFullYear(yearOf(year!, now), MONTHS.indexOf(month!), Number(day));
  const isReal = date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  return isReal ? date.setUTCHours(Number(hour), Number(minute), Number(second)) : undefined;
}

/** A year of two digits that is more than 50 years ahead is in the past century (RFC 9110, 5.6.7). */
function yearOf(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const current = new Date(now).getUTCFullYear();
  const year = current - (current % 100) + Number(digits);
  return year > current + 50 ? year - 100 : year;
}
