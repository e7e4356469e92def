/** One line per event in the reader's language, for platforms that show a message. */
import type { Language } from '../../events/core/languages.js';
import { statusCode, type Code } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { TEXTS } from '../../messages/texts.js';
import { labelOf } from './label.js';

/** The label of the planned delivery date. */
export const plannedDelivery = (language: Language): string => TEXTS[language].timeline.planned_delivery;

/**
 * Returns the text of a status code. An experimental code such as `x-customs_hold` gives `Customs hold` in every
 * language.
 */
export const statusText = (code: string, language: Language = 'en'): string =>
  statusCode(code) ? TEXTS[language].timeline[code as Code] : labelOf(code);

/** Returns the event's own description, which is in the language of its source, or else the text of its code. */
export const messageOf = ({ description, status_code }: TimelineEvent, language?: Language): string =>
  description || statusText(status_code, language);
