/** The licence of every package of an installation, of the build and of the tests permits free use and distribution. */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const PERMISSIVE = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'MPL-2.0', 'Zlib'];

/** Licences that are allowed individually, with the reason, and the packages that have them. */
const OTHERS: Readonly<Record<string, { readonly why: string; readonly packages: RegExp }>> = {
  'OFL-1.1': {
    why: 'fonts, embedded in labels: that use is free, and the font files are passed on unchanged',
    packages: /^@fontsource-variable\/noto-sans/,
  },
  'BlueOak-1.0.0': {
    why: 'permissive, approved by the OSI; of tools that find test files, and of what opens the archive of an XLSX',
    packages: /^(glob|graceful-fs|lru-cache|minimatch|minipass|path-scurry|@isaacs\/nonrecursive-glob-match)$/,
  },
  'Python-2.0': { why: 'permissive; a port of a part of Python', packages: /^argparse$/ },
  'PSF-2.0': { why: 'the same licence under its newer name', packages: /^argparse$/ },
  Unlicense: { why: 'public domain; in tests alone', packages: /^fast-sha256$/ },
};

/** The package.json of these names no licence; the licence is in this file instead. */
const ELSEWHERE: Readonly<Record<string, { readonly licence: string; readonly file: string; readonly text: string }>> =
  { 'png-js': { licence: 'MIT', file: 'node_modules/png-js/LICENSE', text: 'MIT License' } };

interface Locked {
  readonly license?: string;
}
interface Manifest {
  readonly license?: string;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** The licence in the installed package; in the lock file for packages of other platforms. */
function licenceOf(path: string, { license }: Locked): string | undefined {
  const manifest = `${path}/package.json`;
  const installed = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest) : undefined;
  return installed?.license ?? license ?? ELSEWHERE[nameOf(path)]?.licence;
}

/** SPDX: at least one operand of OR must be allowed, and all operands of AND. */
const isAllowed = (expression: string, name: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((all) =>
      all
        .split(' AND ')
        .every((id) => PERMISSIVE.includes(id.trim()) || (OTHERS[id.trim()]?.packages.test(name) ?? false)),
    );

describe('licences of dependencies', () => {
  const all = Object.entries(packages).filter(([path]) => path !== '');

  it('are all permissive, or allowed individually', () => {
    expect(all.length).to.be.above(200);
    const refused = all
      .map(([path, locked]) => ({ name: nameOf(path), licence: licenceOf(path, locked) }))
      .filter(({ name, licence }) => licence === undefined || !isAllowed(licence, name));
    expect(refused).to.deep.equal([]);
  });

  it('are in the listed file if a package names none', () => {
    for (const { file, text } of Object.values(ELSEWHERE)) expect(readFileSync(file, 'utf8')).to.contain(text);
  });

  it('are not permissive because of other licences in the expression', () => {
    expect(isAllowed('(MIT AND GPL-3.0-only)', 'x')).to.equal(false);
    expect(isAllowed('(GPL-3.0-only OR MIT)', 'x')).to.equal(true);
    expect(isAllowed('OFL-1.1', 'some-code')).to.equal(false);
    expect(isAllowed('UNLICENSED', 'x')).to.equal(false);
  });
});
