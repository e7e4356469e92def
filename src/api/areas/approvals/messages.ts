/** What can be answered about approvals: code, status, texts. */
import { messages, type CodesOf } from '../../core/messages/messages.js';

export const APPROVAL_MESSAGES = messages({
  UNKNOWN_TOOL: {
    status: 400,
    en: 'There is no tool {tool} here.',
    fr: 'Il n’y a pas d’outil {tool} ici.',
    de: 'Ein Werkzeug {tool} gibt es hier nicht.',
    es: 'Aquí no hay ninguna herramienta {tool}.',
    'zh-Hans': '此处没有工具 {tool}。',
    'zh-Hant': '此處沒有工具 {tool}。',
  },
  NOT_A_WRITE: {
    status: 400,
    en: 'Only tools that write can be proposed; {tool} can be called at once or not at all.',
    fr: 'Seuls les outils qui écrivent peuvent être proposés ; {tool} s’appelle directement ou pas du tout.',
    de: 'Vorgeschlagen werden können nur schreibende Werkzeuge; {tool} lässt sich sofort aufrufen oder gar nicht.',
    es: 'Solo se pueden proponer herramientas que escriben; {tool} se llama directamente o no se llama.',
    'zh-Hans': '只能提议写入类工具；{tool} 要么直接调用，要么不能调用。',
    'zh-Hant': '只能提議寫入類工具；{tool} 要嘛直接呼叫，要嘛不能呼叫。',
  },
  SECRET_PROPOSED: {
    status: 400,
    en: 'A secret cannot be proposed: it would have to be kept until somebody decides.',
    fr: 'Un secret ne peut pas être proposé : il faudrait le conserver jusqu’à la décision.',
    de: 'Ein Geheimnis lässt sich nicht vorschlagen: Es müsste aufbewahrt werden, bis jemand entscheidet.',
    es: 'Un secreto no se puede proponer: habría que guardarlo hasta que alguien decida.',
    'zh-Hans': '无法提议包含密钥的操作：在有人作出决定之前必须保存它。',
    'zh-Hant': '無法提議包含密鑰的操作：在有人作出決定之前必須保存它。',
  },
  OWN_PROPOSAL: {
    status: 403,
    en: 'An agent cannot approve what it proposed itself: let a person decide.',
    fr: 'Un agent ne peut pas approuver sa propre proposition : laissez une personne décider.',
    de: 'Ein Agent kann nicht freigeben, was er selbst vorgeschlagen hat: Lassen Sie einen Menschen entscheiden.',
    es: 'Un agente no puede aprobar lo que él mismo propuso: que decida una persona.',
    'zh-Hans': '代理不能批准自己提出的操作，请由人来决定。',
    'zh-Hant': '代理不能核准自己提出的操作，請由人來決定。',
  },
  OTHER_REVIEWER_NEEDED: {
    status: 403,
    en: 'The business asks for another person to approve this.',
    fr: 'L’entreprise exige l’approbation d’une autre personne.',
    de: 'Das Unternehmen verlangt, dass eine andere Person das freigibt.',
    es: 'La empresa exige que lo apruebe otra persona.',
    'zh-Hans': '该企业要求由另一人批准此操作。',
    'zh-Hant': '該企業要求由另一人核准此操作。',
  },
  SIGNED_IN_REVIEWER_NEEDED: {
    status: 403,
    en: 'The business asks for a person who is signed in to approve this, not for a key.',
    fr: 'L’entreprise exige l’approbation d’une personne connectée, et non d’une clé.',
    de: 'Das Unternehmen verlangt, dass eine angemeldete Person das freigibt, kein Schlüssel.',
    es: 'La empresa exige que lo apruebe una persona con sesión iniciada, no una clave.',
    'zh-Hans': '该企业要求由已登录的人员批准此操作，而非密钥。',
    'zh-Hant': '該企業要求由已登入的人員核准此操作，而非金鑰。',
  },
  APPROVAL_ELSEWHERE: {
    status: 403,
    en: 'A connection that asks for approvals cannot give them. Approve on another one, or on the approvals page.',
    fr: 'Une connexion qui demande des approbations ne peut pas en donner. Approuvez depuis une autre, ou sur la page des approbations.',
    de: 'Eine Verbindung, die Freigaben verlangt, kann keine erteilen. Geben Sie über eine andere frei oder auf der Seite für Freigaben.',
    es: 'Una conexión que pide aprobaciones no puede darlas. Apruebe desde otra, o en la página de aprobaciones.',
    'zh-Hans': '要求审批的连接不能自行审批。请通过其他连接或审批页面批准。',
    'zh-Hant': '要求審批的連線不能自行審批。請透過其他連線或審批頁面核准。',
  },
  PROPOSAL_DECIDED: {
    status: 409,
    en: 'This proposal is no longer pending: {status}.',
    fr: 'Cette proposition n’est plus en attente : {status}.',
    de: 'Dieser Vorschlag ist nicht mehr offen: {status}.',
    es: 'Esta propuesta ya no está pendiente: {status}.',
    'zh-Hans': '此提议已不再待定：{status}。',
    'zh-Hant': '此提議已不再待定：{status}。',
  },
  QUEUED_FOR_APPROVAL: {
    status: 409,
    en: 'Not carried out: the proposal {proposal} waits for approval.',
    fr: 'Non exécuté : la proposition {proposal} attend une approbation.',
    de: 'Nicht ausgeführt: Der Vorschlag {proposal} wartet auf Freigabe.',
    es: 'No ejecutado: la propuesta {proposal} espera aprobación.',
    'zh-Hans': '未执行：提议 {proposal} 正在等待审批。',
    'zh-Hant': '未執行：提議 {proposal} 正在等待審批。',
  },
  PROPOSAL_OUTDATED: {
    status: 409,
    en: 'What the proposal is about has changed since it was made: {changed}. Propose anew.',
    fr: 'L’objet de la proposition a changé depuis : {changed}. Proposez à nouveau.',
    de: 'Worum es in dem Vorschlag geht, hat sich seither geändert: {changed}. Schlagen Sie neu vor.',
    es: 'Aquello de lo que trata la propuesta ha cambiado desde entonces: {changed}. Proponga de nuevo.',
    'zh-Hans': '提议所涉及的内容此后已发生变化：{changed}。请重新提议。',
    'zh-Hant': '提議所涉及的內容此後已發生變化：{changed}。請重新提議。',
  },
});

declare module '../../core/messages/messages.js' {
  interface MessageCodes extends CodesOf<typeof APPROVAL_MESSAGES> {}
}
