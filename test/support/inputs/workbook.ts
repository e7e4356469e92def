/**
 * Small XLSX workbooks in the form that spreadsheets write: texts are shared strings, numbers and dates are numbers.
 */
import { strToU8, zipSync } from 'fflate';

type Cell = string | number | boolean | Date | null;

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const nameOf = (column: number): string =>
  (column >= 26 ? nameOf(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
/** Days since the end of 1899, the date format of workbooks. */
const serialOf = (date: Date): number => date.getTime() / 86_400_000 + 25_569;
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const OFFICE = 'http://schemas.openxmlformats.org';

export function workbook(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer {
  const strings = new Map<string, number>();
  const shared = (text: string): number => {
    if (!strings.has(text)) strings.set(text, strings.size);
    return strings.get(text)!;
  };
  const cellOf = (cell: Cell, at: string): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${shared(cell)}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
    if (cell instanceof Date) return `<c r="${at}" s="1"><v>${serialOf(cell)}</v></c>`;
    return `<c r="${at}"><v>${cell}</v></c>`;
  };
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {};
  names.forEach((name, index) => {
    const rows = sheets[name]!.map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, column) => cellOf(cell, `${nameOf(column)}${row + 1}`)).join('')}</row>`,
    );
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${OFFICE}/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  });
  parts['xl/sharedStrings.xml'] =
    `<sst xmlns="${OFFICE}/spreadsheetml/2006/main">${[...strings.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`;
  parts['xl/styles.xml'] =
    `<styleSheet xmlns="${OFFICE}/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`;
  const sheetList = names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  parts['xl/workbook.xml'] =
    `<workbook xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets>${sheetList.join('')}</sheets></workbook>`;
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  parts['xl/_rels/workbook.xml.rels'] =
    `<Relationships xmlns="${OFFICE}/package/2006/relationships">${names.map((_name, i) => relation(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('')}${relation(names.length + 1, 'sharedStrings', 'sharedStrings.xml')}${relation(names.length + 2, 'styles', 'styles.xml')}</Relationships>`;
  parts['_rels/.rels'] =
    `<Relationships xmlns="${OFFICE}/package/2006/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`;
  parts['[Content_Types].xml'] =
    `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/></Types>`;
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
}
