/**
 * Scripts for shell completion of commands and options. They are generated from the command definitions, so they are
 * always up to date.
 */
import type { Command } from 'commander';
import { UsageError } from './command.js';

/** Throws `UsageError` for an unsupported shell. */
export function completionScript(shell: string, program: string, root: Command): string {
  if (shell !== 'bash' && shell !== 'zsh')
    throw new UsageError(`Completion is available for bash and zsh, not for ${shell}.`);
  const cases = [...places(root, '')].map(
    // The words of a complete command are followed by its arguments.
    ([words, next, isLeaf]) =>
      `    ${JSON.stringify(words)}${isLeaf ? `|${JSON.stringify(`${words} `)}*` : ''}) next=${JSON.stringify(next.join(' '))} ;;`,
  );
  const name = program.replace(/\W+/g, '_');
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    `_${name}() {`,
    `  local words='' word next=''`,
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case $word in -*) ;; *) words="${words:+$words }$word" ;; esac',
    '  done',
    '  case $words in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$next" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    `complete -o default -F _${name} ${program}`,
  ].join('\n');
}

/** Yields the possible next words, by the words before them. */
function* places(
  command: Command,
  words: string,
): Generator<readonly [words: string, next: readonly string[], isLeaf: boolean]> {
  yield [
    words,
    [
      ...command.commands.map((child) => child.name()),
      ...command.options.map((option) => option.long ?? option.short ?? ''),
      '--help',
    ],
    command.commands.length === 0,
  ];
  for (const child of command.commands) yield* places(child, `${words} ${child.name()}`.trim());
}
