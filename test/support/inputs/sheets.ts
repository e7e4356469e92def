/** Workbooks with a given XML as their only sheet: forms that no spreadsheet program writes. */
import { strToU8, zipSync } from 'fflate';

const OFFICE = 'http://schemas.openxmlformats.org';
const SHEET = `${OFFICE}/spreadsheetml/2006/main`;

/** `rows`: the XML inside of `sheetData`. `parts`: additional parts of the archive, or replacements. */
export function rawWorkbook(rows: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const all = {
    '[Content_Types].xml': `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="a" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="b"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="b" Type="${OFFICE}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(all).map(([name, xml]) => [name, strToU8(xml)]))));
}

/** A cell with a text. */
export const textCell = (reference: string, text = 'x'): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A sheet with the column `ref`, and one more cell. */
export const strayCell = (reference: string): Buffer =>
  rawWorkbook(
    `<row r="1">${textCell('A1', 'ref')}</row><row r="${/\d+$/.exec(reference)![0]}">${textCell(reference)}</row>`,
  );
