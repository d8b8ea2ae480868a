import { ProblemError } from '@commonplace/client';
import { agentVariables, isAgent, readBaseUrl } from './config.ts';
import { describeError, isUnreachable } from './describe-error.ts';

/** An error for a person at a shell: what it is, and where this is not obvious what to do, in a line of its own. */
export const explainError = (error: unknown): string => {
  const text = describeError(error);
  const advice =
    error instanceof ProblemError ? adviceOn(error) : isUnreachable(error) ? address() : null;
  return advice === null ? text : `${text}\n  ${advice}`;
};

const adviceOn = ({ code, problem }: ProblemError): string | null => {
  if (code === 'company_required') {
    return 'you are in several companies: name one with --company <id>';
  }
  if (code === 'unexpected_answer' || code === 'route_not_found') {
    return address();
  }
  if (code === 'operator_only' && isAgent()) {
    return `this is as the agent of ${agentVariables().join(', ')}: an operator unsets it, and has COMMONPLACE_SESSION or a server in local mode`;
  }
  const { found, candidates } = problem as Partial<Record<string, unknown>>;
  if (code === 'ambiguous' && Array.isArray(candidates)) {
    return `name one by its id:\n${idsOf(candidates)}`;
  }
  if (code !== 'edit_not_applicable') {
    return null;
  }
  if (typeof found === 'number' && found > 1) {
    return `--count ${found} replaces them all; a longer --find names one of them`;
  }
  return Array.isArray(candidates) ? `its headings: ${headingsOf(candidates)}` : null;
};

/** Notes of one path, a line each. */
const idsOf = (candidates: readonly unknown[]): string =>
  candidates
    .map((each) => each as { readonly id: string; readonly folder: string; readonly title: string })
    .map(({ id, folder, title }) => `  ${id}  ${[folder, title].filter(Boolean).join('/')}`)
    .join('\n');

/** Headings as options take them, each on its line number. */
const headingsOf = (candidates: readonly unknown[]): string =>
  candidates
    .map((each) => each as { readonly heading: string; readonly line: number })
    .map(({ heading, line }) => `"${heading}" (line ${line})`)
    .join(', ') || 'none';

/** Where no server responded, or another one: a default or a typing error is seen only if the address is named. */
const address = (): string => `the address is ${readBaseUrl()} (COMMONPLACE_URL)`;
