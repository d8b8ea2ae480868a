import { Button, Title } from '@mantine/core';
import { IconFocusCentered } from '@tabler/icons-react';
import classes from './note-form.module.css';
import { SaveState } from './save-state.tsx';
import type { PaneView } from './use-pane-view.ts';

const views: readonly { readonly value: PaneView; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
  { value: 'both', label: 'Both' },
  { value: 'preview', label: 'Preview' },
];

type EditorBarProps = {
  /** What is edited; the heading of the page. */
  readonly heading: string;
  readonly state: React.ComponentProps<typeof SaveState>;
  readonly view: PaneView;
  readonly onView: (view: PaneView) => void;
  readonly focus: { readonly isOn: boolean; readonly toggle: () => void };
  /** Leaves without saving. */
  readonly cancel: React.ReactNode;
};

/** What is edited and whether it is saved, the views, and the ways out. It stays in view. */
export const EditorBar = ({ heading, state, view, onView, focus, cancel }: EditorBarProps) => (
  <div className={classes['bar']}>
    <div className={classes['what']}>
      <Title
        order={1}
        size="sm"
        className={`any-script one-line ${classes['heading']}`}
        title={heading}
      >
        {heading}
      </Title>
      <SaveState {...state} />
    </div>
    <Button.Group aria-label="View">
      {views.map(({ value, label }) => (
        <Button
          key={value}
          size="xs"
          variant={view === value ? 'light' : 'default'}
          aria-pressed={view === value}
          onClick={() => onView(value)}
        >
          {label}
        </Button>
      ))}
    </Button.Group>
    <Button
      size="xs"
      variant={focus.isOn ? 'light' : 'default'}
      leftSection={<IconFocusCentered size={16} aria-hidden />}
      aria-pressed={focus.isOn}
      title="Show only the text, without navigation and details (Escape to leave)"
      onClick={focus.toggle}
    >
      Focus
    </Button>
    <div className={classes['ways']}>
      {cancel}
      <Button
        type="submit"
        size="xs"
        loading={state.isPending}
        // With a text, another attempt shows whether the right is back.
        disabled={state.isReadOnly && !state.isChanged}
      >
        Done
      </Button>
    </div>
  </div>
);
