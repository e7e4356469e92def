/** What can be answered about alliances: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const ALLIANCE_MESSAGES = messages({
  ALLIANCE_NOT_FOUND: {
    status: 404,
    en: 'There is no such alliance.',
    fr: 'Cette alliance n’existe pas.',
    de: 'Diese Allianz gibt es nicht.',
    es: 'Esta alianza no existe.',
    'zh-Hans': '没有这个联盟。',
    'zh-Hant': '沒有這個聯盟。',
  },
  ALLIANCE_MEMBER_NOT_FOUND: {
    status: 404,
    en: 'This business is no other member of the alliance.',
    fr: 'Cette entreprise n’est pas un autre membre de l’alliance.',
    de: 'Dieses Unternehmen ist kein anderes Mitglied der Allianz.',
    es: 'Esta empresa no es otro miembro de la alianza.',
    'zh-Hans': '该企业不是联盟的其他成员。',
    'zh-Hant': '該企業不是聯盟的其他成員。',
  },
  ALLIANCE_GRANT_NOT_FOUND: {
    status: 404,
    en: 'The business has given no such grant.',
    fr: 'L’entreprise n’a pas accordé ce droit.',
    de: 'Das Unternehmen hat kein solches Recht gegeben.',
    es: 'La empresa no ha concedido tal permiso.',
    'zh-Hans': '该企业没有授予此项权限。',
    'zh-Hant': '該企業沒有授予此項權限。',
  },
  BUSINESS_NOT_FOUND: {
    status: 404,
    en: 'There is no business with this code.',
    fr: 'Aucune entreprise n’a ce code.',
    de: 'Kein Unternehmen hat diesen Code.',
    es: 'Ninguna empresa tiene este código.',
    'zh-Hans': '没有使用此代码的企业。',
    'zh-Hant': '沒有使用此代碼的企業。',
  },
  ALLIANCE_NEEDS_STEWARD: {
    status: 409,
    en: 'The last steward cannot leave while there are other members: invite another steward, or dissolve the alliance.',
    fr: 'Le dernier responsable ne peut pas partir tant qu’il y a d’autres membres : invitez un autre responsable ou dissolvez l’alliance.',
    de: 'Der letzte Verwalter kann nicht gehen, solange es andere Mitglieder gibt: einen weiteren einladen oder die Allianz auflösen.',
    es: 'El último responsable no puede irse mientras haya otros miembros: invite a otro responsable o disuelva la alianza.',
    'zh-Hans': '仍有其他成员时，最后一位管理者不能退出：请邀请另一位管理者或解散联盟。',
    'zh-Hant': '仍有其他成員時，最後一位管理者不能退出：請邀請另一位管理者或解散聯盟。',
  },
  ALLIANCE_FULL: {
    status: 409,
    en: 'There is room for 50 members and 500 active grants in an alliance, and for a business in 100 alliances.',
    fr: 'Une alliance compte au plus 50 membres et 500 droits actifs ; une entreprise, 100 alliances.',
    de: 'Eine Allianz hat höchstens 50 Mitglieder und 500 aktive Rechte, ein Unternehmen höchstens 100 Allianzen.',
    es: 'Una alianza admite 50 miembros y 500 permisos activos; una empresa, 100 alianzas.',
    'zh-Hans': '一个联盟最多 50 个成员和 500 项有效权限，一个企业最多加入 100 个联盟。',
    'zh-Hant': '一個聯盟最多 50 個成員和 500 項有效權限，一個企業最多加入 100 個聯盟。',
  },
  TOO_MANY_INVITATIONS: {
    status: 429,
    en: 'An alliance sends at most 20 invitations a day.',
    fr: 'Une alliance envoie au plus 20 invitations par jour.',
    de: 'Eine Allianz verschickt höchstens 20 Einladungen am Tag.',
    es: 'Una alianza envía como máximo 20 invitaciones al día.',
    'zh-Hans': '一个联盟每天最多发出 20 份邀请。',
    'zh-Hant': '一個聯盟每天最多發出 20 份邀請。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof ALLIANCE_MESSAGES> {}
}
