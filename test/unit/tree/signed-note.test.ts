import { expect } from 'chai';
import fc from 'fast-check';
import { BadNote, createSigner, openNote, readVerifierKey } from '../../../src/events/tree/signed-note.js';
import { openHead, signHead } from '../../../src/events/tree/tree-head.js';
import { runs } from '../../support/depth.js';

// The example of golang.org/x/mod/sumdb/note.
const GO = {
  seed: Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1),
  name: 'PeterNeumann',
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    '\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
  // A second key of the same tests.
  enoch: {
    key: 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop',
    signature:
      '\u2014 EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n',
  },
};
const GO_NOTE = `${GO.text}\n${GO.signature}`;

// The example of c2sp.org/signed-note.
const C2SP = {
  key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  note: 'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
};

const signer = createSigner('log.example/a', Buffer.alloc(32, 7));
const other = createSigner('log.example/a', Buffer.alloc(32, 8));

describe('signed notes', () => {
  it('equal those of the Go implementation byte for byte', () => {
    const peter = createSigner(GO.name, GO.seed);
    expect(peter.verifierKey).to.equal(GO.key);
    expect(peter.sign(GO.text)).to.equal(GO_NOTE);
  });

  it('of other implementations are verified', () => {
    expect(openNote(GO_NOTE, [GO.key])).to.deep.equal({ text: GO.text, name: GO.name });
    expect(openNote(C2SP.note, [C2SP.key]).text).to.equal('This is an example message.\n');
    const both = GO_NOTE + GO.enoch.signature;
    for (const keys of [[GO.key], [GO.enoch.key], [GO.enoch.key, GO.key]])
      expect(openNote(both, keys).text).to.equal(GO.text);
  });

  it('are rejected without a trusted signature, and with a wrong trusted one', () => {
    const refused = (note: string, keys: readonly string[]) =>
      expect(() => openNote(note, keys), note).to.throw(BadNote);
    refused(GO_NOTE, []);
    refused(GO_NOTE, [C2SP.key]);
    refused(other.sign('text\n'), [signer.verifierKey]);
    refused(GO_NOTE.replace('answer', 'Answer'), [GO.key]);
    refused(GO_NOTE.replace('answer', 'Answer') + GO.enoch.signature, [GO.key, GO.enoch.key]);
    for (const note of [
      '',
      'text\n',
      'text\n\n',
      GO_NOTE.slice(0, -1),
      GO_NOTE.replace('\u2014', '-'),
      `${GO.text}${GO.signature}`,
      GO_NOTE.replace('\n', '\r\n'),
      GO_NOTE + GO.signature.repeat(16),
      `${GO.text}\n\u2014 PeterNeumann AAAA\n`,
    ])
      refused(note, [GO.key]);
  });

  it('cover any text, of which no character can change', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 60 })
      .map((line) => `${line.replace(/\p{Cc}/gu, '')}\n`)
      .filter((line) => line.isWellFormed());
    fc.assert(
      fc.property(text, fc.nat(), (line, at) => {
        const note = signer.sign(line);
        expect(openNote(note, [signer.verifierKey]).text).to.equal(line);
        const bytes = Buffer.from(note);
        bytes[at % bytes.length]! ^= 1;
        expect(() => openNote(bytes.toString('utf8'), [signer.verifierKey])).to.throw(BadNote);
      }),
      { numRuns: runs(200) },
    );
  });

  it('have keys whose every part must match', () => {
    for (let at = 0; at < GO.key.length; at++)
      expect(() => readVerifierKey(GO.key.slice(0, at)), String(at)).to.throw(BadNote);
    for (const wrong of [
      GO.key.replace('Peter', 'Pater'),
      GO.key.replace('c74f20a3', 'c74f20a4'),
      GO.key.replace('+AR', '+Ar'),
      `${GO.key}=`,
      GO.key.replace('PeterNeumann', 'Peter Neumann'),
    ])
      expect(() => readVerifierKey(wrong), wrong).to.throw(BadNote);
    expect(() => createSigner('a b', Buffer.alloc(32))).to.throw(BadNote);
    expect(() => createSigner('a+b', Buffer.alloc(32))).to.throw(BadNote);
    expect(() => signer.sign('no newline')).to.throw(BadNote);
    expect(() => signer.sign('bell\u0007\n')).to.throw(BadNote);
  });
});

describe('tree heads', () => {
  const root = Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64');
  const head = { origin: 'log.example/a', size: 20_852_163, root };

  it('are checkpoints', () => {
    expect(signHead(head, signer)).to.match(
      /^log\.example\/a\n20852163\nCsUYapGGPo4dkMgIAUqom\/Xajj7h2fB2MPA3j2jxq2I=\n\n\u2014 log\.example\/a [A-Za-z0-9+/]{91}=\n$/,
    );
    expect(openHead(signHead(head, signer), [signer.verifierKey])).to.deep.equal(head);
  });

  it('of other logs are read with their extension lines', () => {
    expect(
      openHead(signer.sign(`log.example/a\n0\n${root.toString('base64')}\nextension\n`), [signer.verifierKey]).size,
    ).to.equal(0);
  });

  it('are rejected in any other form, under another name, and with another signature', () => {
    const encoded = root.toString('base64');
    for (const text of [
      'log.example/a\n',
      `log.example/a\n007\n${encoded}\n`,
      `log.example/a\n-1\n${encoded}\n`,
      `log.example/a\n99999999999999999\n${encoded}\n`,
      `log.example/a\n1\n${encoded.slice(4)}\n`,
      `log.example/b\n1\n${encoded}\n`,
      `\n1\n${encoded}\n`,
      `log.example/a\n1\n${encoded}\n\nmore\n`,
    ]) {
      expect(() => openHead(signer.sign(text), [signer.verifierKey]), text).to.throw(BadNote);
    }
    expect(() => openHead(signHead(head, other), [signer.verifierKey])).to.throw(BadNote);
  });
});
