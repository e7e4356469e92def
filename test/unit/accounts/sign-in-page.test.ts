/** The pages of OAuth sign-in and consent, as a user reads them. */
import { expect } from 'chai';
import { consentPage, loginPage } from '../../../src/api/oauth/page.js';

describe('sign-in pages', () => {
  const client = { name: 'Claude', verifiedHost: 'claude.example', redirectHost: 'back.example' };
  const pages = (shown: typeof client) => [
    loginPage('/x', 'tms.example', shown),
    consentPage(
      '/x',
      'tms.example',
      shown,
      'me@example.com',
      [{ scope: 'orders:read', meaning: 'See orders', ticked: true }],
      [],
    ),
  ];

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
    for (const html of [
      loginPage('/x', 'tms.example', registered),
      consentPage('/x', 'tms.example', registered, 'me', [], []),
    ])
      expect(html).not.to.include('verified');
  });

  it('M3: separate texts of clients from the page, without direction marks and hidden characters', () => {
    const turned = (text: string) => `\u202e${text}\u2066\u200b\u00ad`;
    const strange = { name: turned('a<b>'), verifiedHost: turned('host'), redirectHost: turned('www.edualc.de') };
    for (const html of pages(strange)) {
      expect(html).not.to.match(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u00ad]/);
      for (const text of ['a&#60;b&#62;', 'host', 'www.edualc.de']) expect(html).to.include(`<bdi>${text}</bdi>`);
    }
  });
});
