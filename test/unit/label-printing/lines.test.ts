/** Lines of a text in a box. Each character is one unit wide in font size 1. */
import { expect } from 'chai';
import { fitLines, type LineBox } from '../../../src/engines/printing/lines.js';

const linesOf = (text: string, box: LineBox): string[] =>
  fitLines(text, box, (line, size) => [...line].length * size).lines.map((line) => line.text);
/** Ten characters wide; the text may shrink to three fifths. */
const box = (lines: number, more: Partial<LineBox> = {}): LineBox => ({
  width: 10,
  height: lines * 1.25,
  size: 1,
  ...more,
});

describe('lines of a printed text', () => {
  it('break between words, after each Chinese character, and within a long word', () => {
    expect(linesOf('one two three', box(2))).to.deep.equal(['one two', 'three']);
    expect(linesOf('東京都渋谷区神南一丁目', box(2))).to.deep.equal(['東京都渋谷区神南一丁', '目']);
    expect(linesOf('abcdefghijklm', box(2))).to.deep.equal(['abcdefghij', 'klm']);
  });

  it('shrink before the text is shortened', () => {
    const fitted = fitLines('one two three', box(1), (line, size) => line.length * size);
    expect(fitted.lines.map(({ text }) => text)).to.deep.equal(['one two three']);
    expect(fitted.size).to.be.within(0.6, 0.769);
    expect(linesOf('one two three four five', box(1))).to.deep.equal(['one two three…']);
  });

  it('lose the last paragraphs, or keep all of them and shorten the longest', () => {
    const text = `${'name '.repeat(20).trim()}\nstreet 5\ncity`;
    const lost = linesOf(text, box(3));
    expect(lost.join(' ')).to.not.include('street');
    expect(lost.at(-1)).to.match(/…$/);
    const kept = linesOf(text, box(3, { keepsParagraphs: true }));
    expect(kept).to.deep.equal(['name name name', 'name name name …', 'street 5', 'city']);
  });

  it('fill the last line of a shortened paragraph from the words that follow', () => {
    const [first] = linesOf('a bcdefghijklmnopqrst\nstreet', box(1, { keepsParagraphs: true, height: 2.5, size: 2 }));
    expect(first).to.equal('a bcdef…');
  });

  it('never exceed the height, even with more paragraphs than lines', () => {
    const many = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const lines = linesOf(many, box(2, { keepsParagraphs: true }));
    expect(lines).to.deep.equal(['line 0', 'line 1', 'line 2…']);
  });
});
