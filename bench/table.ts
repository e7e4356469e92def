/** A table in the form of docs/figures.md. */
export interface Line {
  readonly name: string;
  readonly value: string;
  /** Ratio to `reference`. */
  readonly ratio?: number;
  readonly reference?: string;
  /** The required minimum. */
  readonly goal?: string;
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

export function printTable(title: string, lines: readonly Line[]): void {
  process.stdout.write(`\n### ${title}\n\n| figure | measured | ratio | reference | target |\n|---|---|---|---|---|\n`);
  for (const { name, value, ratio, reference = '', goal = '' } of lines)
    process.stdout.write(
      `| ${name} | ${value} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${reference} | ${goal} |\n`,
    );
}
