import { readFileSync } from 'node:fs';

/** The guide for language models, as Markdown: what an agent needs, in a size that fits into its context. */
export const agentsGuide = (): string =>
  readFileSync(new URL('agents-guide.md', import.meta.url), 'utf8');
