import { createContext } from 'react';

/** What a click on the checkbox of a task does, with the number of its line; null means nothing. */
export const TaskToggle = createContext<((line: number) => void) | null>(null);

const task = /^((?:\s*>)*\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(?=\])/;

/** Lines as the parser counts them: a carriage return alone ends one too. The ends stay, between the lines. */
const splitLines = (text: string): string[] => text.split(/(\r\n|\r|\n)/);

/** The text with the task of a line (from 1) checked or unchecked; null if there is none. */
export const toggleTask = (text: string, line: number): string | null => {
  const parts = splitLines(text);
  const at = (line - 1) * 2;
  const before = parts[at] ?? '';
  const after = before.replace(task, (_, start: string, mark: string) =>
    mark === ' ' ? `${start}x` : `${start} `,
  );
  return after === before ? null : parts.with(at, after).join('');
};
