/** What can be wrong with a message of GraphQL or MCP in addition to what can be wrong with any request. */
import { messages, type CodesOf } from './messages.js';

export const PROTOCOL_MESSAGES = messages({
  NO_BATCHES: {
    status: 400,
    en: 'Send each message by itself: only version {version} of the protocol has batches.',
    fr: 'Envoyez chaque message séparément : seule la version {version} du protocole connaît les lots.',
    de: 'Senden Sie jede Nachricht einzeln: Nur die Version {version} des Protokolls kennt Stapel.',
    es: 'Envíe cada mensaje por separado: solo la versión {version} del protocolo tiene lotes.',
    'zh-Hans': '请逐条发送消息：只有协议版本 {version} 支持批量消息。',
    'zh-Hant': '請逐則傳送訊息：只有協定版本 {version} 支援批次訊息。',
  },
  ID_REPEATED: {
    status: 400,
    en: 'Two messages of the batch have the same id.',
    fr: 'Deux messages du lot ont le même identifiant.',
    de: 'Zwei Nachrichten des Stapels haben dieselbe Kennung.',
    es: 'Dos mensajes del lote tienen el mismo identificador.',
    'zh-Hans': '批量消息中有两条消息的 id 相同。',
    'zh-Hant': '批次訊息中有兩則訊息的 id 相同。',
  },
  GRAPHQL_INVALID: {
    status: 400,
    en: 'The GraphQL document is not valid: {reason}.',
    fr: 'Le document GraphQL n’est pas valide : {reason}.',
    de: 'Das GraphQL-Dokument ist ungültig: {reason}.',
    es: 'El documento GraphQL no es válido: {reason}.',
    'zh-Hans': 'GraphQL 文档无效：{reason}。',
    'zh-Hant': 'GraphQL 文件無效：{reason}。',
  },
  QUERY_TOO_COMPLEX: {
    status: 400,
    en: 'The query asks for too much: {limit} is limited to {max}.',
    fr: 'La requête demande trop : {limit} est limité à {max}.',
    de: 'Die Abfrage verlangt zu viel: {limit} ist auf {max} begrenzt.',
    es: 'La consulta pide demasiado: {limit} está limitado a {max}.',
    'zh-Hans': '查询要求过多：{limit} 最多为 {max}。',
    'zh-Hant': '查詢要求過多：{limit} 最多為 {max}。',
  },
});

declare module './messages.js' {
  interface MessageCodes extends CodesOf<typeof PROTOCOL_MESSAGES> {}
}
