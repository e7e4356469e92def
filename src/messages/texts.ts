/**
 * Texts for users, one JSON file per language, so that translators need no code. `errors` are the error codes of a
 * response (their statuses: `errors` of each area), `entries` the codes inside responses (fields, entries of lists),
 * `timeline` the status codes of tracking events, `price_lines` the lines of prices that a rate card does not name.
 */
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import hans from './zh-Hans.json' with { type: 'json' };
import hant from './zh-Hant.json' with { type: 'json' };

export const TEXTS = { en, fr, de, es, 'zh-Hans': hans, 'zh-Hant': hant };

/** English has every code; a test compares the other files with it. */
export type ErrorText = keyof typeof en.errors;
export type EntryText = keyof typeof en.entries;
