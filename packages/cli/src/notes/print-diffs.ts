import { paint, printNotice, printText } from '../print.ts';

type FieldDiff = { readonly field: string; readonly diff: string; readonly truncated: boolean };

/** Prints how fields of a note differ, and which of them are not shown completely. */
export const printDiffs = (fields: readonly FieldDiff[]): void => {
  fields.map(({ field, diff }) => `${paint('bold', field)}\n${diff}`).forEach(printText);
  for (const { field, truncated } of fields) {
    if (truncated) {
      printNotice(`the changes of ${field} are too large to be compared and shown completely`);
    }
  }
};
