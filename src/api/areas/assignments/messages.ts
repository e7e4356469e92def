/** What can be answered about assignments: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ASSIGNMENT_MESSAGES = messages({
  ALREADY_ASSIGNED: {
    status: 409,
    en: 'The order is already assigned to this contractor.',
    fr: 'La commande est déjà attribuée à ce sous-traitant.',
    de: 'Der Auftrag ist diesem Subunternehmer bereits zugewiesen.',
    es: 'El pedido ya está asignado a este subcontratista.',
    'zh-Hans': '订单已分配给这位承包商。',
    'zh-Hant': '訂單已指派給這位承包商。',
  },
  ASSIGNED_TO_CONTRACTOR: {
    status: 409,
    en: 'The order is assigned to a contractor, who alone can plan it.',
    fr: 'La commande est attribuée à un sous-traitant, qui seul peut la planifier.',
    de: 'Der Auftrag ist einem Subunternehmer zugewiesen; nur dieser kann ihn planen.',
    es: 'El pedido está asignado a un subcontratista, el único que puede planificarlo.',
    'zh-Hans': '订单已分配给承包商，只有该承包商可以规划。',
    'zh-Hant': '訂單已指派給承包商，只有該承包商可以規劃。',
  },
  NOT_ASSIGNED: {
    status: 409,
    en: 'The order is not assigned to any contractor.',
    fr: 'La commande n’est attribuée à aucun sous-traitant.',
    de: 'Der Auftrag ist keinem Subunternehmer zugewiesen.',
    es: 'El pedido no está asignado a ningún subcontratista.',
    'zh-Hans': '订单没有分配给任何承包商。',
    'zh-Hant': '訂單沒有指派給任何承包商。',
  },
  MISSING_CONTRACTOR: {
    status: 422,
    en: 'No contractor is named.',
    fr: 'Aucun sous-traitant n’est indiqué.',
    de: 'Es ist kein Subunternehmer angegeben.',
    es: 'No se indica ningún subcontratista.',
    'zh-Hans': '未指定承包商。',
    'zh-Hant': '未指定承包商。',
  },
  UNKNOWN_CONTRACTOR: {
    status: 422,
    en: 'This is not a contractor of your business.',
    fr: 'Ce n’est pas un sous-traitant de votre entreprise.',
    de: 'Das ist kein Subunternehmer Ihres Unternehmens.',
    es: 'No es un subcontratista de su empresa.',
    'zh-Hans': '这不是贵公司的承包商。',
    'zh-Hant': '這不是貴公司的承包商。',
  },
  ASSIGNMENT_RELEASED: {
    en: 'The order is handed back.',
    fr: 'La commande est rendue.',
    de: 'Der Auftrag ist zurückgegeben.',
    es: 'El pedido ha sido devuelto.',
    'zh-Hans': '订单已交还。',
    'zh-Hant': '訂單已交還。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof ASSIGNMENT_MESSAGES> {}
}
