/** The languages of the service. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'zh-Hans', 'zh-Hant'] as const;
export type Language = (typeof LANGUAGES)[number];
/** A text per language; `{name}` is a parameter. */
export type Texts = Readonly<Record<Language, string>>;
