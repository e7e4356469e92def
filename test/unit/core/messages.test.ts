/** Message catalogues in six languages with the same content, and the choice of a language. */
import { expect } from 'chai';
import fc from 'fast-check';
import { FINDINGS } from '../../../src/events/otep/check/findings.js';
import '../../../src/areas/index.js';
import { sourceOfMessage } from '../../support/checks/source-locations.js';
import {
  allMessages,
  chooseLanguage,
  LANGUAGES,
  messages,
  statuses,
  translate,
  type Language,
  type MessageCode,
} from '../../../src/api/core/messages/index.js';
import { TEXTS } from '../../../src/messages/texts.js';

const CODES = [...allMessages().keys()];
const en = Object.fromEntries([...allMessages()].map(([code, row]) => [code, row.en])) as Record<MessageCode, string>;
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
/** Each parameter is replaced by its own name in braces, so the result is the template itself. */
const IDENTITY = Object.fromEntries(
  CODES.flatMap((code) => placeholders(en[code])).map((name) => [name!, `{${name}}`]),
);

/** `section.code` of every text in the file of a language. */
const keysOf = (language: Language): string[] =>
  Object.entries(TEXTS[language]).flatMap(([section, texts]) => Object.keys(texts).map((code) => `${section}.${code}`));

describe('messages', () => {
  it('have the same keys in the file of each language, in the same order', () => {
    const english = keysOf('en');
    for (const language of LANGUAGES) {
      const keys = keysOf(language);
      const file = `src/messages/${language}.json`;
      expect(english.filter((key) => !keys.includes(key)).join(), `${file} lacks these keys of en.json`).to.equal('');
      expect(keys.filter((key) => !english.includes(key)).join(), `${file} has keys that en.json lacks`).to.equal('');
      expect(keys, `${file}: keep the order of en.json`).to.deep.equal(english);
    }
  });

  it('of errors have a status', () => {
    const without = Object.keys(TEXTS.en.errors).filter(
      (code) => allMessages().get(code as MessageCode)?.status === undefined,
    );
    const remedy = 'give these codes a status in `errors` of their area (src/areas), or move them to `entries`';
    expect(without.join(), remedy).to.equal('');
  });

  it('are rejected at load if an error already has a status', () =>
    expect(() => statuses({ ROUTE_CLOSED: 410 })).to.throw('The error ROUTE_CLOSED already has the status 409'));

  it('have a text for every code in every language, with the same parameters', () => {
    expect(CODES).to.include.members(Object.keys(FINDINGS));
    for (const language of LANGUAGES) {
      for (const code of CODES) {
        const text = translate(code, IDENTITY, language);
        expect(
          text.trim(),
          `${sourceOfMessage(code, language)}: ${language} of ${code} must not begin or end with a space`,
        ).to.equal(text);
        expect(text, `${sourceOfMessage(code, language)}: ${language} of ${code} must end with a full stop`).to.match(
          /[.。]$/,
        );
        expect(
          placeholders(text),
          `${sourceOfMessage(code, language)}: ${language} of ${code} must have the parameters of its English text`,
        ).to.deep.equal(placeholders(en[code]));
      }
    }
  });

  it('differ between languages', () => {
    const english = new Set(Object.values(en));
    for (const language of LANGUAGES.filter((one) => one !== 'en')) {
      const untranslated = CODES.filter((code) => english.has(translate(code, IDENTITY, language)));
      const places = untranslated.map((code) => `${sourceOfMessage(code, language)}: translate ${language} of ${code}`);
      expect(untranslated, places.join('\n')).to.deep.equal([]);
    }
  });

  it('Chinese catalogues use only their script', () => {
    const text = (language: Language) => CODES.map((code) => translate(code, undefined, language)).join('');
    expect(text('zh-Hans')).not.to.match(/[個為這請無對應時軸態碼號須沒]/);
    expect(text('zh-Hant')).not.to.match(/[个为这请无对应时轴态码号须没]/);
  });

  it('French keeps punctuation and apostrophes together with their words', () => {
    for (const code of CODES) {
      const text = translate(code, IDENTITY, 'fr');
      expect(text, `${sourceOfMessage(code, 'fr')}: fr of ${code}`).not.to.match(/ [:;!?»]|« |[a-zé]'[a-zéèêà]/);
    }
    expect(translate('PROPOSAL_DECIDED', { status: 'X' }, 'fr')).to.match(/\u00a0: X\.$/);
  });

  it('use one term per concept, and no term for two concepts', () => {
    const words: [Language, RegExp][] = [
      ['de', /Zugriffstoken|Drittanbieter|Subjekt|Reise|eröffn|Geheimnis|Kopf des/],
      ['fr', /rétract/],
      ['es', /\bcontratista|retract/],
      ['zh-Hant', /運單號|貴企業|審批|承運商|按 /],
    ];
    for (const [language, wrong] of words)
      for (const code of CODES)
        expect(
          translate(code, IDENTITY, language),
          `${sourceOfMessage(code, language)}: ${language} of ${code}`,
        ).not.to.match(wrong);
  });

  it('are rejected at load if a code already has a text', () => {
    const row = Object.fromEntries(LANGUAGES.map((language) => [language, 'Twice.'])) as Record<Language, string>;
    expect(() => messages({ ROUTE_CLOSED: row })).to.throw('The message ROUTE_CLOSED is defined twice');
  });

  it('insert parameters unchanged', () => {
    expect(translate('UNKNOWN_FORMAT', { allowed: '{max} $& otep' }, 'en')).to.equal(
      'Unknown format. Known formats: {max} $& otep.',
    );
    expect(translate('BODY_TOO_LARGE', undefined, 'en')).to.equal('The body is larger than  bytes.');
  });
});

describe('chooseLanguage', () => {
  const CASES: readonly (readonly [header: string | undefined, language: Language])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it', 'en'],
    ['it, de;q=0.5', 'de'],
    ['fr-CA', 'fr'],
    ['de-AT, en;q=0.8', 'de'],
    ['en;q=0.2, es-419;q=0.9', 'es'],
    ['FR', 'fr'],
    ['en, fr', 'en'],
    ['fr;q=0, es;q=0.1', 'es'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['ZH-hans', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-Hant-CN', 'zh-Hant'],
    ['zh-Hant', 'zh-Hant'],
    ['fr_CA', 'en'],
    [';;q=,,=', 'en'],
    ['x-private, de', 'de'],
    ['constructor, __proto__, es', 'es'],
    ['en-', 'en'],
  ];
  for (const [header, language] of CASES)
    it(`chooses ${language} for ${JSON.stringify(header)}`, () => expect(chooseLanguage(header)).to.equal(language));

  it('considers only the twenty most preferred languages', () => {
    const unknown = (count: number): string => Array.from({ length: count }, (_, index) => `it-a${index}`).join();
    expect(chooseLanguage(`${unknown(19)},de`)).to.equal('de');
    expect(chooseLanguage(`${unknown(20)},de`)).to.equal('en');
  });

  it('accepts any header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => void expect(LANGUAGES).to.include(chooseLanguage(header))),
    );
  });
});
