import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';
import classes from './code-editor.module.css';
import { contentChanges } from './content-changes.ts';
import { placeCursor, type Cursor } from './cursor.ts';
import { editorExtensions, type EditorOptions } from './editor-extensions.ts';

/** What the page around the editor does with it. */
export type EditorHandle = {
  readonly read: () => string;
  /** Applies changes of others: the cursor stays where it is, and undo does not take them back. */
  readonly bringIn: (text: string) => void;
  readonly view: () => EditorView | null;
};

type CodeEditorProps = EditorOptions & {
  readonly initial: string;
  /** The cursor is in the text from the beginning. */
  readonly hasFocus?: boolean;
  /** The same, at this place; null: it is not. */
  readonly cursor?: Cursor | null;
  readonly ref: Ref<EditorHandle>;
};

/** A Markdown editor. It renders only the lines in view, so that large notes stay fast. */
export const CodeEditor = (props: CodeEditorProps) => {
  const { initial, hasFocus = false, cursor = null, ref, ...options } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const onChange = useEffectEvent(options.onChange);
  const onFiles = useEffectEvent(options.onFiles);
  const findTitles = useEffectEvent(options.findTitles);
  const create = useEffectEvent((container: HTMLElement) => {
    const { label } = options;
    const doc = initial;
    const extensions = editorExtensions({
      label,
      onChange: () => onChange(),
      onFiles: (report) => onFiles(report),
      findTitles: (typed, signal) => findTitles(typed, signal),
    });
    const state = EditorState.create({ doc, extensions });
    const created = new EditorView({ parent: container, state });
    if (hasFocus || cursor) {
      placeCursor(created, cursor);
    }
    return created;
  });
  useEffect(() => {
    const created = parent.current && create(parent.current);
    view.current = created;
    return () => {
      created?.destroy();
      view.current = null;
    };
  }, []);
  useImperativeHandle(
    ref,
    () => ({
      read: () => view.current?.state.sliceDoc() ?? initial,
      bringIn: (text) => {
        const current = view.current;
        current?.dispatch({
          changes: contentChanges(current.state.sliceDoc(), text),
          annotations: Transaction.addToHistory.of(false),
        });
      },
      view: () => view.current,
    }),
    [initial],
  );
  return <div ref={parent} className={classes['editor']} />;
};
