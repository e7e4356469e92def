/** Skills, and every other short list of a business: items by key, a maximum number, each change recorded once. */
import { expect } from 'chai';
import { skills, type SkillCommand } from '../../../src/commands/skills/decider.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<SkillCommand>(1);
const define = (code: string, en = code) => of({ do: 'put', item: { code, names: { en } } });
const retire = (code: string) => of({ do: 'remove', key: code });

describe('decider of skills', () => {
  it('defines a skill, replaces it, and records nothing if it is the same', () => {
    const defined = given(skills).when(define('adr'));
    expect(defined.facts).to.deep.equal([
      { type: 'SkillDefined', data: { code: 'adr', names: { en: 'adr' }, business: 1 } },
    ]);
    expect(defined.reply).to.deep.equal({ code: 'adr', names: { en: 'adr' } });
    const same = defined.then.when(
      of({ do: 'put', item: { code: 'adr', names: { en: 'adr' }, needs_document: undefined } }),
    );
    expect([same.types, same.reply]).to.deep.equal([[], defined.reply]);
    expect(defined.then.when(define('adr', 'Dangerous goods')).types).to.deep.equal(['SkillDefined']);
  });

  it('changes the given members, and clears null ones', () => {
    const item = { code: 'adr', names: { en: 'adr' }, needs_document: 'adr_card' };
    const known = given(skills, of({ do: 'put', item }));
    const changed = known.when(of({ do: 'change', key: 'adr', members: { needs_document: null } }));
    expect(changed.reply).to.deep.equal({ code: 'adr', names: { en: 'adr' } });
    expect(changed.facts[0]!.data).to.deep.equal({ code: 'adr', names: { en: 'adr' }, business: 1 });
    expect(known.when(of({ do: 'change', key: 'adr', members: {} })).types).to.deep.equal([]);
    expect(known.refusal(of({ do: 'change', key: 'crane', members: {} }))).to.equal('SKILL_NOT_FOUND');
  });

  it('retires an existing skill, which may be defined again', () => {
    const retired = given(skills, define('adr')).when(retire('adr'));
    expect(retired.facts).to.deep.equal([{ type: 'SkillRetired', data: { code: 'adr' } }]);
    expect(retired.then.refusal(retire('adr'))).to.equal('SKILL_NOT_FOUND');
    expect(given(skills).refusal(retire('adr'))).to.equal('SKILL_NOT_FOUND');
    expect(retired.then.when(define('adr')).types).to.deep.equal(['SkillDefined']);
    expect(given(skills, define('adr')).refusal(as(2, { do: 'remove', key: 'adr' }))).to.equal('SKILL_NOT_FOUND');
  });

  it('allows at most 200 skills per business; replacing one is possible at the limit', () => {
    const full = given(skills, ...Array.from({ length: 200 }, (_, index) => define(`s${index}`)));
    expect(full.refusal(define('one_more'))).to.equal('TOO_MANY_SKILLS');
    expect(full.when(define('s1', 'other')).types).to.deep.equal(['SkillDefined']);
  });

  it('replies with the current item to a retry', () => {
    const command = define('adr');
    const again = given(skills, command, define('adr', 'Dangerous goods')).when(command);
    expect([again.types, again.reply]).to.deep.equal([[], { code: 'adr', names: { en: 'Dangerous goods' } }]);
  });
});
