/** `npm run check` runs the tests that a change affects. */
import { expect } from 'chai';
import { sourceOf, type Sources } from '../../../scripts/check/sources.js';
import { areaOf, testsOf } from '../../../scripts/check/tests-of.js';

const sources: Sources = new Map(
  Object.entries({
    'src/areas/skills.ts': '',
    'src/areas/return-reasons.ts': '',
    'src/commands/core/entity.ts': '',
    'src/commands/skills/decider.ts': "import { entity } from '../core/entity.js';",
    'test/support/worlds/users.ts': '',
    'test/unit/areas/structure.test.ts': '',
    'test/unit/core/entity.test.ts': "import { entity } from '../../../src/commands/core/entity.js';",
    'test/unit/skills/decider.test.ts': "import { skills } from '../../../src/commands/skills/decider.js';",
    'test/api/skills/skills.test.ts': "import { asUsers } from '../../support/worlds/users.js';",
    'test/unit/core/docs.test.ts': "readFileSync('docs/cli.md')",
    'test/fault/kill.test.ts': "import { skills } from '../../src/commands/skills/decider.js';",
  }).map(([file, text]) => [file, sourceOf(file, text)]),
);

describe('tests of a change', () => {
  it('are those that import it, those of its area, and those of the structure', () => {
    expect(testsOf(['src/commands/skills/decider.ts'], sources)).to.deep.equal([
      'test/unit/skills/decider.test.ts',
      'test/api/skills/skills.test.ts',
      'test/unit/areas/structure.test.ts',
    ]);
    expect(testsOf(['src/commands/core/entity.ts'], sources)).to.deep.equal([
      'test/unit/core/entity.test.ts',
      'test/unit/areas/structure.test.ts',
    ]);
  });

  it('are a changed test, those of a changed support file, and those that read a changed document', () => {
    expect(testsOf(['test/unit/core/entity.test.ts'], sources)).to.deep.equal(['test/unit/core/entity.test.ts']);
    expect(testsOf(['test/support/worlds/users.ts'], sources)).to.deep.equal(['test/api/skills/skills.test.ts']);
    expect(testsOf(['docs/cli.md'], sources)).to.deep.equal(['test/unit/core/docs.test.ts']);
    expect(testsOf(['docs/kafka.md'], sources)).to.deep.equal([]);
  });

  it('know the area of a file by its path', () => {
    const areas = new Set(['skills', 'return-reasons']);
    expect(areaOf('src/api/areas/skills/operations.ts', areas)).to.equal('skills');
    expect(areaOf('src/areas/return-reasons.ts', areas)).to.equal('return-reasons');
    expect(areaOf('src/events/core/log.ts', areas)).to.equal(undefined);
    expect(areaOf('docs/skills', areas)).to.equal(undefined);
  });
});
