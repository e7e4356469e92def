/** What the checker of the protocol says of single values. */
import type { Translations } from './translations.js';

export const VALUE_FINDINGS = {
  REQUIRED: {
    fr: 'Ce champ est obligatoire.',
    de: 'Dieses Feld ist erforderlich.',
    es: 'Este campo es obligatorio.',
    'zh-Hans': '此字段为必填项。',
    'zh-Hant': '此欄位為必填。',
  },
  INVALID_TYPE: {
    fr: 'Type attendu : {expected}.',
    de: 'Erwarteter Typ: {expected}.',
    es: 'Tipo esperado: {expected}.',
    'zh-Hans': '类型应为 {expected}。',
    'zh-Hant': '型別應為 {expected}。',
  },
  INVALID_VALUE: {
    fr: 'Valeurs possibles : {allowed}.',
    de: 'Mögliche Werte: {allowed}.',
    es: 'Valores posibles: {allowed}.',
    'zh-Hans': '必须是以下值之一：{allowed}。',
    'zh-Hant': '必須是下列值之一：{allowed}。',
  },
  INVALID_TEXT: {
    fr: 'Le texte ne doit contenir ni U+0000 ni moitié isolée d’une paire de substitution.',
    de: 'Text darf weder U+0000 noch die einzelne Hälfte eines Surrogatpaars enthalten.',
    es: 'El texto no debe contener U+0000 ni la mitad suelta de un par sustituto.',
    'zh-Hans': '文本不得包含 U+0000 或不成对的代理项。',
    'zh-Hant': '文字不得包含 U+0000 或不成對的代理項。',
  },
  INVALID_NUMBER: {
    fr: 'Le nombre est trop grand pour être conservé.',
    de: 'Die Zahl ist zu groß, um gespeichert zu werden.',
    es: 'El número es demasiado grande para guardarlo.',
    'zh-Hans': '数值过大，无法保存。',
    'zh-Hant': '數值過大，無法儲存。',
  },
  TOO_LONG: {
    fr: 'Au plus {max} caractères sont autorisés.',
    de: 'Höchstens {max} Zeichen sind erlaubt.',
    es: 'Se permiten {max} caracteres como máximo.',
    'zh-Hans': '最多允许 {max} 个字符。',
    'zh-Hant': '最多允許 {max} 個字元。',
  },
  TOO_SMALL: {
    fr: 'La valeur doit être d’au moins {min}.',
    de: 'Der Wert muss mindestens {min} sein.',
    es: 'El valor debe ser como mínimo {min}.',
    'zh-Hans': '不得小于 {min}。',
    'zh-Hant': '不得小於 {min}。',
  },
  TOO_BIG: {
    fr: 'La valeur doit être d’au plus {max}.',
    de: 'Der Wert darf höchstens {max} sein.',
    es: 'El valor debe ser como máximo {max}.',
    'zh-Hans': '不得大于 {max}。',
    'zh-Hant': '不得大於 {max}。',
  },
  TOO_DEEP: {
    status: 400,
    fr: 'L’imbrication ne doit pas dépasser {max} niveaux.',
    de: 'Die Verschachtelung darf höchstens {max} Ebenen tief sein.',
    es: 'El anidamiento no debe superar {max} niveles.',
    'zh-Hans': '嵌套不得超过 {max} 层。',
    'zh-Hant': '巢狀結構不得超過 {max} 層。',
  },
  TOO_MANY_EXTENSIONS: {
    fr: 'Un événement a au plus {max} champs d’extension.',
    de: 'Ein Ereignis hat höchstens {max} Erweiterungsfelder.',
    es: 'Un evento tiene como máximo {max} campos de extensión.',
    'zh-Hans': '每个事件最多有 {max} 个扩展字段。',
    'zh-Hant': '每個事件最多有 {max} 個擴充欄位。',
  },
  EXTENSIONS_TOO_LARGE: {
    fr: 'Les champs d’extension d’un événement occupent ensemble au plus {max} octets.',
    de: 'Die Erweiterungsfelder eines Ereignisses haben zusammen höchstens {max} Byte.',
    es: 'Los campos de extensión de un evento ocupan juntos como máximo {max} bytes.',
    'zh-Hans': '每个事件的扩展字段合计最多 {max} 字节。',
    'zh-Hant': '每個事件的擴充欄位合計最多 {max} 位元組。',
  },
} as const satisfies Translations;
