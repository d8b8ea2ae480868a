import type { CallToolResult } from '@modelcontextprotocol/server';

/** Clients cut results at about 25,000 tokens. */
export const resultBytesDefault = 40_000;

/** A result of texts, each in a block of its own: the content of a note stays exactly as it is. */
export const texts = (...blocks: readonly string[]): CallToolResult => ({
  content: blocks.map((text) => ({ type: 'text', text })),
});

/** A small result. Clients show a model only the structured content where there is one, so it has everything. */
export const structured = (content: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
});

/** A failure that the model can read: what is wrong, and what to do next. */
export const failed = (code: string, detail: string, next: string): CallToolResult => ({
  content: [{ type: 'text', text: `${code}: ${detail}\nNext: ${next}` }],
  isError: true,
});
