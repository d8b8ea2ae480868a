import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useState } from 'react';
import {
  IconBlockquote,
  IconBold,
  IconBrackets,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListCheck,
  IconListNumbers,
  IconTable,
} from '@tabler/icons-react';
import type { Command, EditorView } from '@codemirror/view';
import {
  bulletList,
  code,
  emphasis,
  heading,
  insertLink,
  insertNoteLink,
  insertTable,
  numberedList,
  quotation,
  strong,
  taskList,
} from './markdown-commands.ts';

type Tool = { readonly label: string; readonly icon: typeof IconBold; readonly run: Command };

const tools: readonly Tool[] = [
  { label: 'Heading', icon: IconHeading, run: heading },
  { label: 'Bold', icon: IconBold, run: strong },
  { label: 'Italic', icon: IconItalic, run: emphasis },
  { label: 'Code', icon: IconCode, run: code },
  { label: 'Quotation', icon: IconBlockquote, run: quotation },
  { label: 'Bulleted list', icon: IconList, run: bulletList },
  { label: 'Numbered list', icon: IconListNumbers, run: numberedList },
  { label: 'Task list', icon: IconListCheck, run: taskList },
  { label: 'Table', icon: IconTable, run: insertTable },
  { label: 'Link', icon: IconLink, run: insertLink },
  { label: 'Link to a note', icon: IconBrackets, run: insertNoteLink },
];

/** Where a key leads from the button at a place; null if the key is for something else. */
const placeAfter = (key: string, place: number): number | null => {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: (place + tools.length - 1) % tools.length,
    ArrowRight: (place + 1) % tools.length,
    Home: 0,
    End: tools.length - 1,
  };
  return places[key] ?? null;
};

/** The buttons that write Markdown into the editor: one stop for Tab, and within it the arrow keys lead on. */
export const EditorToolbar = ({ view }: { readonly view: () => EditorView | null }) => {
  const [stop, setStop] = useState(0);
  const move = (event: React.KeyboardEvent<HTMLElement>): void => {
    const place = placeAfter(event.key, stop);
    if (place !== null) {
      event.preventDefault();
      event.currentTarget.querySelectorAll('button')[place]?.focus();
    }
  };
  return (
    <Group gap={4} role="toolbar" aria-label="Formatting" onKeyDown={move}>
      {tools.map(({ label, icon: Icon, run }, place) => (
        <Tooltip key={label} label={label} openDelay={400}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label}
            tabIndex={place === stop ? 0 : -1}
            onFocus={() => setStop(place)}
            // The editor keeps its selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              const current = view();
              if (current) {
                run(current);
              }
            }}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
};
