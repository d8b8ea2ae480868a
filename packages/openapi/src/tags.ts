import type { RouteContract } from '@commonplace/contracts';

const descriptions: Readonly<Record<string, string>> = {
  Sessions: 'Signing in and out, first setup, invites, and the sessions of an operator.',
  'Second factor': 'Authenticator apps and recovery codes.',
  Passkeys: 'Signing in with a device instead of a password.',
  Operators: 'The people of the board; administrators manage them.',
  Companies: 'Every entity belongs to exactly one company.',
  Members: 'Who may enter a company, in which role, and who is invited.',
  Agents: 'Automated callers with role, chain of command and budget.',
  Keys: 'Long-lived credentials of agents, shown once and hashed at rest.',
  Connections: 'Credentials of agents for clients of OAuth, by the consent of an operator.',
  Runs: 'Heartbeats of agents with short-lived run JWTs and booked budgets.',
  Notes: 'The shared memory: Markdown notes with revisions.',
  Proposals: 'What agents would change, and what becomes of it.',
  Synchronisation: 'Many writers, none of whom loses a word.',
  MCP: 'The same notes for clients of the Model Context Protocol.',
  Meta: 'Health and this document.',
};

/** The tags of the document in a fixed order; a tag nobody described is an error at generation. */
export const tagsOf = (
  contracts: readonly RouteContract[],
): { name: string; description: string }[] => {
  const used = new Set([...contracts.map((contract) => contract.tag), 'Meta']);
  const unknown = [...used].filter((tag) => !Object.hasOwn(descriptions, tag));
  if (unknown.length > 0) {
    throw new Error(`Describe the tag ${unknown.join(', ')} in packages/openapi/src/tags.ts`);
  }
  return Object.entries(descriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
};
