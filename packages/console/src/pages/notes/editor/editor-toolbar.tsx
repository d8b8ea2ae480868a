import { ActionIcon, Group, Tooltip } from '@mantine/core';
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

/** The buttons that write Markdown into the editor. */
export const EditorToolbar = ({ view }: { readonly view: () => EditorView | null }) => (
  <Group gap={4} role="toolbar" aria-label="Formatting">
    {tools.map(({ label, icon: Icon, run }) => (
      <Tooltip key={label} label={label} openDelay={400}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
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
