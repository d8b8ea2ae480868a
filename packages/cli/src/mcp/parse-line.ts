import { isMessage, type Message } from './message.ts';

/** The messages of a line; null means it is no JSON-RPC. */
export const parseLine = (line: string): Message[] | null => {
  try {
    const value: unknown = JSON.parse(line);
    const messages = Array.isArray(value) ? (value as unknown[]) : [value];
    return messages.every((message) => isMessage(message)) ? messages : null;
  } catch {
    return null;
  }
};
