/** The regular expressions of inputs in words, for errors: a reader should not have to read a pattern. */

const CLOCK = '`HH:MM`, from 00:00 to 23:59';
const CODE = '1 to 40 of a-z, 0-9 and _';
const PHONE = 'a phone number of digits, spaces, brackets and +./-';
const QUANTITY = 'a decimal number as text, above 0, with at most 8 digits before and 4 after the point, such as "2.5"';

/** By the source of the pattern. A unit test finds the ones that are missing. */
export const PATTERN_FORMATS: Readonly<Record<string, string>> = {
  '^[+0-9 ().\\/-]+$': PHONE,
  '^\\d{1,15}$': '`next_cursor` of the previous page',
  '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$': '1 to 64 of a-z, 0-9 and -, without - at the beginning or end',
  '^[a-z0-9][a-z0-9_-]{0,39}$': '1 to 40 of a-z, 0-9, _ and -, first a letter or digit',
  '^[a-z0-9][a-z0-9_]{0,29}$': '1 to 30 of a-z, 0-9 and _, first a letter or digit',
  '^(?=.*[A-Za-z0-9])[A-Za-z0-9 -]{1,12}$': 'the beginning of a postal code: 1 to 12 letters, digits, spaces and -',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'a language tag such as `de` or `pt-BR`',
  '^[a-z0-9_]{1,40}$': CODE,
  '^[A-Za-z0-9._-]{1,40}$': '1 to 40 of A-Z, a-z, 0-9, ".", "_" and "-"',
  '^(\\d{1,5}|100000)(\\.\\d{1,2})?$':
    'a decimal number as text, at most 100000, with at most 2 decimals, such as "12.50"',
  '^(\\d{1,5}|100000)(\\.\\d{1,3})?$':
    'a decimal number as text, at most 100000, with at most 3 decimals, such as "0.125"',
  '^([01]\\d|2[0-3]):[0-5]\\d$': CLOCK,
  '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$': '`HH:MM`, from 00:00 to 24:00',
  '^(?=.*[1-9])\\d{1,8}(\\.\\d{1,4})?$': QUANTITY,
  '^-?(?=.*[1-9])\\d{1,8}(\\.\\d{1,4})?$':
    'a decimal number as text, not 0, with at most 8 digits before and 4 after the point, such as "-2.5"',
  '^\\d{1,8}(\\.\\d{1,4})?$':
    'a decimal number as text, with at most 8 digits before and 4 after the point, such as "2.5"',
  '^(orders|packages|weight|volume|custom:[a-z0-9][a-z0-9_]{0,29})$':
    'orders, packages, weight, volume or `custom:<name>`',
  '^[a-z0-9_.-]{1,60}$': 'the name of a file of the job',
  '^[0-9a-f]{8}$': 'the version of the item, as the board shows it',
  '^(\\d{4}-\\d\\d-\\d\\d)\\.(\\d{1,9})$': '`next_cursor` of the page before',
  '^[a-z][a-z0-9_]{0,39}$': '1 to 40 of a-z, 0-9 and _, first a letter',
  '^[a-z0-9_-]{1,40}$': '1 to 40 of a-z, 0-9, _ and -',
  '^#[0-9a-f]{6}$': 'a colour such as `#3366cc`',
  '^[0-9a-fA-F]{32}$': '32 hexadecimal digits',
  '^\\d{1,12}$': 'seconds since 1970',
  '^[\\x21-\\x7e]+$': 'printable ASCII characters without spaces',
  '^(user|provider|system):\\S+$': '`user:<id>`, `provider:<id>` or `system:<id>`',
  '^(\\d|[1-5]\\d|6[0-3])$': 'a number from 0 to 63',
  '^\\d{1,9}$': 'the id of an event of this stream',
};
