import { createContext } from 'react';

/** What a click on the checkbox of a task does, with the number of its line; null means nothing. */
export const TaskToggle = createContext<((line: number) => void) | null>(null);

const task = /^((?:\s*>)*\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(?=\])/;

/** The text with the task of a line (from 1) checked or unchecked; null if there is none. */
export const toggleTask = (text: string, line: number): string | null => {
  const lines = text.split('\n');
  const before = lines[line - 1] ?? '';
  const after = before.replace(task, (_, start: string, mark: string) =>
    mark === ' ' ? `${start}x` : `${start} `,
  );
  return after === before ? null : lines.with(line - 1, after).join('\n');
};
