/** Builds `rejected.csv`: the rejected rows of an import in their original form, with their errors. */
import { recordStream } from '../../../../events/datasets/events.js';
import { csvOf } from '../../../core/csv.js';
import { translate, type Language, type MessageCode } from '../../../core/messages/index.js';
import type { InvalidRow } from './check.js';
import type { Cell } from './read-table.js';
import { REJECTED_COLUMNS } from './exported-table.js';

const toCsvCell = (cell: Cell | undefined): unknown => (cell instanceof Date ? cell.toISOString() : cell);

const MAX_CHARACTERS = 16 * 1_048_576;

/** State that another attempt of the job continues from. */
export interface RejectedRows {
  readonly text: string;
  /** Subjects of the records in the rows. Erasing one of them deletes the file. */
  readonly subjects: readonly string[];
}

export class Rejected {
  #text: string;
  readonly #subjects: Set<string>;

  constructor(
    private readonly header: readonly Cell[],
    private readonly language: Language,
    previous?: RejectedRows,
  ) {
    this.#text = previous?.text ?? csvOf([[...header.map(toCsvCell), ...REJECTED_COLUMNS]]);
    this.#subjects = new Set(previous?.subjects);
  }

  add({ row, errors, uuid }: InvalidRow): void {
    const columns = errors.map(({ path }) => path.split('/')[1] ?? '');
    const messages = errors.map(({ code, params = {} }) => translate(code as MessageCode, params, this.language));
    this.#text += csvOf([
      [
        ...this.header.map((_name, index) => toCsvCell(row.cells[index])),
        row.line,
        columns.join(' '),
        errors.map(({ code }) => code).join(' '),
        messages.join(' '),
      ],
    ]);
    if (uuid !== undefined) this.#subjects.add(recordStream(uuid));
  }

  /** Whether the file is so large that the import must end. */
  get isFull(): boolean {
    return this.#text.length >= MAX_CHARACTERS;
  }

  get snapshot(): RejectedRows {
    return { text: this.#text, subjects: [...this.#subjects] };
  }
}
