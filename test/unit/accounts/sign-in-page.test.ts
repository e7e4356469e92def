/** The pages of OAuth sign-in and consent, as a user reads them. */
import { expect } from 'chai';
import { choiceNamed, consentChoices } from '../../../src/api/oauth/consent-choices.js';
import { consentPage, loginPage, type ClientShown } from '../../../src/api/oauth/page.js';
import { pageTexts } from '../../../src/api/oauth/page-texts.js';
import { DANGEROUS, PROFILES, SCOPES, type Scope } from '../../../src/api/core/scopes.js';
import { LANGUAGES, type Language } from '../../../src/api/core/messages/index.js';
import { TEXTS } from '../../../src/messages/texts.js';
import { USER_ROLES } from '../../../src/events/accounts/events.js';

describe('sign-in pages', () => {
  const client = { name: 'Claude', verifiedHost: 'claude.example', redirectHost: 'back.example' };
  const pages = (shown: ClientShown, language: Language = 'en') => {
    const context = { texts: pageTexts(language), action: '/x', host: 'tms.example', client: shown };
    const choices = consentChoices(['orders:read'], 'client_admin');
    const chosen = choiceNamed(choices, undefined)!;
    return [loginPage(context), consentPage(context, { user: 'me@example.com', choices, chosen, refused: [] })];
  };

  it('M3: name the verified host first, then the name of the client, then the redirect address', () => {
    for (const html of pages(client)) {
      const places = ['<bdi>claude.example</bdi></code> (verified)', '<bdi>Claude</bdi>', '<bdi>back.example</bdi>'];
      const found = places.map((text) => html.indexOf(text));
      expect(found[0]).to.be.above(0);
      expect(found).to.deep.equal([...found].sort((a, b) => a - b));
    }
  });

  it('name the owner of the service and label the buttons', () => {
    for (const [html, button] of [
      [pages(client)[0]!, 'Sign in'],
      [pages(client)[1]!, 'Allow'],
    ] as const) {
      expect(html).to.include('Open Transport at <code>tms.example</code>');
      expect(html.match(/<button class="primary">[^<]+/g)).to.deep.equal([`<button class="primary">${button}`]);
      expect(html).to.include('<button>Cancel</button>');
    }
  });

  it('M3: do not call a client verified that only registered itself', () => {
    const { verifiedHost: _, ...registered } = client;
    for (const html of pages(registered)) expect(html).not.to.include('verified');
  });

  it('M3: separate texts of clients from the page, without direction marks and hidden characters', () => {
    const turned = (text: string) => `\u202e${text}\u2066\u200b\u00ad`;
    const strange = { name: turned('a<b>'), verifiedHost: turned('host'), redirectHost: turned('www.edualc.de') };
    for (const html of pages(strange)) {
      expect(html).not.to.match(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u00ad]/);
      for (const text of ['a&#60;b&#62;', 'host', 'www.edualc.de']) expect(html).to.include(`<bdi>${text}</bdi>`);
    }
  });

  it('H1: offer the profiles of the role, and preselect the request', () => {
    const offered = (requested: readonly Scope[], role: (typeof USER_ROLES)[number]) =>
      consentChoices(requested, role).map(({ name, isRequested }) => (isRequested ? `${name} requested` : name));
    const all = [
      'ops-readonly',
      'support',
      'ops-write',
      'wms-readonly',
      'datasets-readonly',
      'alliance-readonly',
      'full',
    ];
    expect(offered(PROFILES.support, 'client_admin')).to.deep.equal(
      all.map((name) => (name === 'support' ? 'support requested' : name)),
    );
    expect(offered(['orders:read', 'wms:read', 'orders:write'], 'client_admin')).to.deep.equal([
      'requested requested',
      ...all,
    ]);
    // An auditor only reads, so `ops-write` would grant the same as `ops-readonly`.
    expect(offered(PROFILES['ops-write'], 'auditor')).to.deep.equal([
      'ops-readonly requested',
      'support',
      'wms-readonly',
      'datasets-readonly',
      'alliance-readonly',
      'full',
    ]);
    for (const role of USER_ROLES) {
      const choices = consentChoices(SCOPES, role);
      expect(choices.filter(({ isRequested }) => isRequested)).to.have.length(1);
      expect(choiceNamed(choices, undefined)!.isRequested).to.equal(true);
      expect(choiceNamed(choices, 'constructor')).to.equal(undefined);
    }
  });

  it('H1: preselect no dangerous scope in any profile', () => {
    const choices = consentChoices(PROFILES['ops-write'], 'client_admin');
    const context = { texts: pageTexts('en'), action: '/x', host: 'tms.example', client };
    for (const chosen of choices) {
      const html = consentPage(context, { user: 'me', choices, chosen, refused: [] });
      const boxes = [...html.matchAll(/value="([a-z_]+:[a-z]+)"( checked)?/g)].map(([, scope, ticked]) => [
        scope,
        !!ticked,
      ]);
      expect(boxes, chosen.name).to.deep.equal(chosen.scopes.map((scope) => [scope, !DANGEROUS.has(scope)]));
      expect(html).to.include(`name="profile" value="${chosen.name}"`);
      expect(html.match(/aria-current="true"/g)).to.have.length(1);
    }
  });

  it('H1: are in six languages, with the same parameters', () => {
    const sections = ['sign_in', 'profiles', 'scopes'] as const;
    const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? [];
    for (const section of sections) {
      const english = Object.entries(TEXTS.en[section]);
      for (const language of LANGUAGES.filter((one) => one !== 'en')) {
        const texts = TEXTS[language][section] as Record<string, string>;
        for (const [key, text] of english) {
          const where = `${section}.${key} in ${language}`;
          expect(placeholders(texts[key]!), where).to.deep.equal(placeholders(text));
          expect(texts[key], where).not.to.equal(text);
        }
      }
    }
    expect(Object.keys(TEXTS.en.scopes)).to.have.members([...SCOPES]);
    for (const language of LANGUAGES)
      for (const html of pages(client, language)) expect(html).to.include(`<html lang="${language}">`);
    expect(pages(client, 'de')[1]).to.include('Aufträge und ihren Verlauf sehen').and.not.include('See orders');
  });
});
