/** The files of labels and scan forms: the smallest valid ones. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==',
  'base64',
);

/** One empty page of 4 x 6 inches. */
function pdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Resources << >> >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

const FILES: Readonly<Record<string, { readonly type: string; readonly bytes: Buffer }>> = {
  png: { type: 'image/png', bytes: PNG },
  pdf: { type: 'application/pdf', bytes: pdf() },
  zpl: { type: 'application/zpl', bytes: Buffer.from('^XA^FO50,50^FDdouble^FS^XZ\n') },
};

/** The file at a path. */
export const fileAt = (path: string) => {
  const extension = /^\/files\/file_\w+\.(\w+)$/.exec(path)?.[1];
  return extension === undefined ? undefined : FILES[extension];
};
