/** What can be answered about skills: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const SKILL_MESSAGES = messages({
  SKILL_NOT_FOUND: {
    status: 404,
    en: 'The business has no such skill.',
    fr: 'L’entreprise n’a pas cette qualification.',
    de: 'Diese Fähigkeit hat das Unternehmen nicht festgelegt.',
    es: 'La empresa no tiene esta aptitud.',
    'zh-Hans': '该企业没有这项技能。',
    'zh-Hant': '該企業沒有這項技能。',
  },
  UNKNOWN_SKILL: {
    status: 422,
    en: 'These are no skills of the business: {codes}.',
    fr: 'Ce ne sont pas des qualifications de l’entreprise : {codes}.',
    de: 'Das sind keine Fähigkeiten des Unternehmens: {codes}.',
    es: 'No son aptitudes de la empresa: {codes}.',
    'zh-Hans': '以下不是该企业的技能：{codes}。',
    'zh-Hant': '以下不是該企業的技能：{codes}。',
  },
  TOO_MANY_SKILLS: {
    status: 422,
    en: 'A business has at most {most} skills.',
    fr: 'Une entreprise a au plus {most} qualifications.',
    de: 'Ein Unternehmen hat höchstens {most} Fähigkeiten.',
    es: 'Una empresa tiene como máximo {most} aptitudes.',
    'zh-Hans': '一个企业最多有 {most} 项技能。',
    'zh-Hant': '一個企業最多有 {most} 項技能。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof SKILL_MESSAGES> {}
}
