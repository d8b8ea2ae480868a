type Cell = string | number | null;

/**
 * Writes a table as CSV (RFC 4180). Spreadsheets run texts that begin like a formula, so those get an apostrophe in front
 * (OWASP, CSV injection).
 */
export const writeCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');

const writeCell = (cell: Cell): string => {
  if (cell === null) {
    return '';
  }
  if (typeof cell === 'number') {
    return String(cell);
  }
  const text = /^\s*[=+\-@|%]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
