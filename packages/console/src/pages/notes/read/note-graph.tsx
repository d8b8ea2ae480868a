import { Box, Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import classes from './note-graph.module.css';
import { noteNeighbours, type Neighbour } from './note-neighbours.ts';
import { titleText } from '../../../components/title-text.ts';

const sideMax = 8;
const nodeWidth = 200;
const nodeHeight = 36;
const rowHeight = 48;
const gap = 80;
const arrowSize = 8;
/** The part of a side of the note that edges lead to. */
const edgesHeight = 28;
/** Where the columns begin: notes that link here, this note, notes it links to. */
const columns = { left: 0, centre: nodeWidth + gap, right: 2 * (nodeWidth + gap) } as const;

type NoteGraphProps = {
  readonly companyId: string;
  readonly noteId: string;
  readonly title: string;
  readonly links: Pick<Schema<'NoteLinks'>, 'links' | 'backlinks'>;
};

/**
 * The note and the notes one link away; nothing if there are none. A phone has no room for it: the lists beside it
 * have the same links.
 */
export const NoteGraph = ({ companyId, noteId, title, links }: NoteGraphProps) => {
  const { left, right, omitted } = noteNeighbours(noteId, links, sideMax);
  const rows = Math.max(left.length, right.length);
  if (rows === 0) {
    return null;
  }
  const height = rows * rowHeight;
  const start = left.length > 0 ? columns.left : columns.centre;
  const end = (right.length > 0 ? columns.right : columns.centre) + nodeWidth;
  const rowsOf = (notes: readonly Neighbour[]) =>
    notes.map((note, row) => {
      const offset = row - (notes.length - 1) / 2;
      return {
        note,
        middle: height / 2 + offset * rowHeight,
        // Edges end beside each other, so that no arrowhead covers another.
        end: height / 2 + offset * Math.min(arrowSize, edgesHeight / notes.length),
      };
    });
  return (
    <Box visibleFrom="md">
      <svg
        role="group"
        aria-label="Graph of linked notes"
        viewBox={`${start - 2} 0 ${end - start + 4} ${height}`}
        className={classes['graph']}
        style={{ maxWidth: end - start + 4 }}
      >
        <ArrowHead />
        {rowsOf(left).map(({ note, middle, end: to }) => (
          <Edge key={note.id} note={note} from={middle} to={to} x={nodeWidth} />
        ))}
        {rowsOf(right).map(({ note, middle, end: from }) => (
          <Edge key={note.id} note={note} from={from} to={middle} x={columns.right - gap} />
        ))}
        <NodeBox title={title} x={columns.centre} middle={height / 2} isCurrent />
        {rowsOf(left).map(({ note, middle }) => (
          <NodeLink key={note.id} {...{ companyId, note, middle }} x={columns.left} />
        ))}
        {rowsOf(right).map(({ note, middle }) => (
          <NodeLink key={note.id} {...{ companyId, note, middle }} x={columns.right} />
        ))}
      </svg>
      {omitted > 0 && (
        <Text size="sm" c="dimmed">{`${omitted} more ${omitted === 1 ? 'note' : 'notes'}`}</Text>
      )}
    </Box>
  );
};

const ArrowHead = () => (
  <marker
    id="note-graph-arrow"
    viewBox="0 0 8 8"
    refX="8"
    refY="4"
    markerWidth={arrowSize}
    markerHeight={arrowSize}
    orient="auto-start-reverse"
  >
    <path d="M0 0 8 4 0 8z" className={classes['arrow']} />
  </marker>
);

type EdgeProps = {
  readonly note: Neighbour;
  readonly from: number;
  readonly to: number;
  readonly x: number;
};

const Edge = ({ note, from, to, x }: EdgeProps) => (
  <path
    d={`M${x} ${from}C${x + gap / 2} ${from} ${x + gap / 2} ${to} ${x + gap} ${to}`}
    className={classes['edge']}
    markerEnd="url(#note-graph-arrow)"
    {...(note.direction === 'both' ? { markerStart: 'url(#note-graph-arrow)' } : {})}
  />
);

const directions = {
  in: 'links to this note',
  out: 'linked from this note',
  both: 'linked both ways',
} as const;

type NodeLinkProps = {
  readonly companyId: string;
  readonly note: Neighbour;
  readonly x: number;
  readonly middle: number;
};

const NodeLink = ({ companyId, note, x, middle }: NodeLinkProps) => {
  const title = titleText(note.title);
  return (
    <Link
      to="/companies/$companyId/notes/$noteId"
      params={{ companyId, noteId: note.id }}
      className={classes['link']}
    >
      <title>{`${title}, ${directions[note.direction]}`}</title>
      <NodeBox title={title} x={x} middle={middle} />
    </Link>
  );
};

type NodeBoxProps = {
  readonly title: string;
  readonly x: number;
  readonly middle: number;
  readonly isCurrent?: boolean;
};

const NodeBox = ({ title, x, middle, isCurrent = false }: NodeBoxProps) => (
  <svg x={x} y={middle - nodeHeight / 2} width={nodeWidth} height={nodeHeight}>
    <rect
      x={1}
      y={1}
      width={nodeWidth - 2}
      height={nodeHeight - 2}
      rx={8}
      className={classes[isCurrent ? 'current' : 'node']}
    />
    {/* HTML, so that CSS shortens a long title. */}
    <foreignObject width={nodeWidth} height={nodeHeight}>
      <div
        className={`one-line ${classes['title']}`}
        title={title}
        style={{ lineHeight: `${nodeHeight}px` }}
      >
        {title}
      </div>
    </foreignObject>
  </svg>
);
