/** One line per event, for platforms that show a message: in the reader's language. */
import type { Language } from '../../events/core/languages.js';
import { statusCode, type Code } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { TEXTS } from '../../messages/texts.js';
import { labelOf } from './label.js';

/** The day that a delivery is planned for. */
export const plannedDelivery = (language: Language): string => TEXTS[language].timeline.planned_delivery;

/** What a code means; `x-customs_hold` reads `Customs hold` in every language. */
export const statusText = (code: string, language: Language = 'en'): string =>
  statusCode(code) ? TEXTS[language].timeline[code as Code] : labelOf(code);

/** The event's own description, which is in the language of its source; else the text of its code. */
export const messageOf = ({ description, status_code }: TimelineEvent, language?: Language): string =>
  description || statusText(status_code, language);
