import { z } from 'zod';
import { newNoteFolder, newNoteTag, noteTag, noteText, noteTitle } from './note-input.ts';
import { notePropertiesInput } from './note-fields.ts';
import { noteLimits } from './note-limits.ts';

const nonEmpty = () => noteText().min(1);

const onOwnLines = z.boolean().optional().meta({
  description:
    'Put the text on lines of its own: a line break stands between it and the text that is there, where there is none',
});

const append = z.strictObject({
  op: z.literal('append'),
  text: nonEmpty().meta({ description: 'Added at the end, exactly as sent' }),
  onOwnLines,
});

const prepend = z.strictObject({
  op: z.literal('prepend'),
  text: nonEmpty().meta({ description: 'Added at the start, exactly as sent' }),
  onOwnLines,
});

const replace = z.strictObject({
  op: z.literal('replace'),
  find: nonEmpty().meta({ description: 'The exact text to replace, every occurrence' }),
  with: noteText(),
  count: z
    .int()
    .min(1)
    .max(noteLimits.contentBytesMax)
    .default(1)
    .meta({ description: 'How often `find` must occur, without overlaps' }),
});

const heading = nonEmpty().meta({
  description: `The path of a Markdown heading by its source text: \`Risks\`, or \`Plan/Risks\` where \`Plan\` is the heading
above it. A leading \`/\` begins at the top: \`/Plan\` has no heading above it.`,
});

const insertAfter = z.strictObject({
  op: z.literal('insert_after'),
  heading,
  text: nonEmpty().meta({ description: 'Lines to insert directly below the heading' }),
});

const insertBefore = z.strictObject({
  op: z.literal('insert_before'),
  heading,
  text: nonEmpty().meta({ description: 'Lines to insert directly above the heading' }),
});

const replaceSection = z.strictObject({
  op: z.literal('replace_section'),
  heading,
  text: noteText().meta({
    description: `Lines that replace everything below the heading, up to the next one of its level or a higher one`,
  }),
});

const appendToSection = z.strictObject({
  op: z.literal('append_to_section'),
  heading,
  text: nonEmpty().meta({
    description:
      'Lines to add at the end of what is below the heading, before the blank lines there',
  }),
});

const prependToSection = z.strictObject({
  op: z.literal('prepend_to_section'),
  heading,
  text: nonEmpty().meta({ description: 'Lines to add at the start of what is below the heading' }),
});

const tagList = (tag: typeof noteTag) => z.array(tag).max(noteLimits.tagsMax).default([]);

const set = z
  .strictObject({
    op: z.literal('set'),
    title: noteTitle.optional(),
    updateLinks: z.boolean().optional().meta({
      description: `With \`title\`: links \`[[old title]]\` of other notes to this one get the new title, in the same transaction`,
    }),
    folder: newNoteFolder.optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    tags: z
      .strictObject({ add: tagList(newNoteTag), remove: tagList(noteTag) })
      .optional()
      .meta({ description: 'Tags to remove, then tags to add' }),
    properties: notePropertiesInput
      .optional()
      .meta({ description: 'A JSON merge patch (RFC 7396): null removes a property' }),
  })
  .refine((edit) => Object.values(edit).filter((value) => value !== undefined).length > 1, {
    message: 'must name a field',
  })
  .refine((edit) => edit.updateLinks === undefined || edit.title !== undefined, {
    path: ['updateLinks'],
    message: 'needs a title',
  });

/** One edit of a note. */
export const noteEdit = z
  .discriminatedUnion('op', [
    append,
    prepend,
    replace,
    insertAfter,
    insertBefore,
    replaceSection,
    appendToSection,
    prependToSection,
    set,
  ])
  .meta({ id: 'NoteEdit', description: 'One edit of a note' });
export type NoteEdit = z.output<typeof noteEdit>;

/** An edit of the content. */
export type TextEdit = Exclude<NoteEdit, { op: 'set' }>;

/** An edit of the other fields. */
export type SetEdit = Extract<NoteEdit, { op: 'set' }>;

/** The limit of edits in a request. */
export const noteEditsMax = 32;
