type Cell = string | number | null;

/**
 * Writes a table as CSV (RFC 4180). Spreadsheets run texts that begin like a formula, so those get an apostrophe in front
 * (OWASP, CSV injection). So do the parts of a text behind a semicolon, a tab or a line break. Where one of these is the
 * list separator, a spreadsheet splits the text there, because it observes quotes only where a cell begins.
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
  const text = withoutFormulas(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** What begins a formula, also in full width, which spreadsheets for East Asian languages take for the same. */
const formulaStart = '[=+\\-@|%\uff1d\uff0b\uff0d\uff20\uff5c\uff05]';
const lineBreak = '\\t\\r\\n\\v\\f\u0085\u2028\u2029';
const formulas = new RegExp(
  `^(?=\\s*${formulaStart}|[${lineBreak}])|(?<=[;\uff1b${lineBreak}])(?=[\\s"]*${formulaStart})`,
  'g',
);

const withoutFormulas = (cell: string): string => cell.replaceAll(formulas, "'");
