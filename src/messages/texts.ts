/**
 * Texts for readers, one JSON file per language: translators need no code. `errors` are the codes of a response as a
 * whole (their statuses: `errors` of each area), `entries` the codes inside responses (fields, entries of lists),
 * `timeline` the status codes of tracking events.
 */
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import hans from './zh-Hans.json' with { type: 'json' };
import hant from './zh-Hant.json' with { type: 'json' };

export const TEXTS = { en, fr, de, es, 'zh-Hans': hans, 'zh-Hant': hant };

/** English has every code; the other files are compared with it by a test. */
export type ErrorText = keyof typeof en.errors;
export type EntryText = keyof typeof en.entries;
