import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { OrgChartNode } from '@commonplace/contracts/agents';
import type { JsonOf } from '@commonplace/contracts/core';
import type { OrgChartRow } from '../queries/reporting-lines.ts';

/** Agents that are written without letting others run. */
const agentsAtOnce = 500;

/** The trees of a company as JSON, and an ETag of what is in them. */
type OrgChartText = { readonly etag: string; readonly roots: readonly JsonOf<OrgChartNode>[] };

type Node = { readonly row: OrgChartRow; readonly reports: Node[] };

/**
 * Writes the trees of a company from its agents, in their order. As text, because parsing thousands of nested nodes
 * with their schema would hold the event loop; it yields to the event loop in between.
 */
export const writeOrgChart = async (rows: readonly OrgChartRow[]): Promise<OrgChartText> => {
  const hash = createHash('sha256');
  const roots: JsonOf<OrgChartNode>[] = [];
  let written = 0;
  for (const root of treesOf(rows)) {
    let text = '';
    for (const piece of piecesOf(root)) {
      text += piece;
      written += 1;
      if (written % agentsAtOnce === 0) {
        await yieldToEventLoop();
      }
    }
    hash.update(text);
    roots.push(text as JsonOf<OrgChartNode>);
  }
  return { etag: `W/"${hash.digest('base64url')}"`, roots };
};

const treesOf = (rows: readonly OrgChartRow[]): Node[] => {
  const nodes = new Map<string, Node>(rows.map((row) => [row.id, { row, reports: [] }]));
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const { reportsTo } = node.row;
    const manager = reportsTo === null ? undefined : nodes.get(reportsTo);
    (manager?.reports ?? roots).push(node);
  }
  return roots;
};

/** One piece for each agent and one for its end. Chains of command are at most 32 deep. */
function* piecesOf({ row, reports }: Node): Generator<string, void> {
  const { id, name, title, role, status } = row;
  yield `${JSON.stringify({ id, name, title, role, status }).slice(0, -1)},"reports":[`;
  for (const [index, report] of reports.entries()) {
    if (index > 0) {
      yield ',';
    }
    yield* piecesOf(report);
  }
  yield ']}';
}
