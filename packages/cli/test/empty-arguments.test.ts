import { describe, expect, it } from '@jest/globals';
import { commandList } from '../src/command-list.ts';
import { UsageError } from '../src/errors.ts';

/** The commands with the options that take a value. */
const commands = await Promise.all(
  commandList.map(async ({ name, load }) => {
    const command = await load();
    const options = Object.entries(command.flags).filter(([, { type }]) => type === 'string');
    return { name, command, options };
  }),
);

/** Texts, and the folder that is the root. */
const emptyValues = {
  'notes write': ['text'],
  'notes edit': ['with', 'folder', 'text'],
  'notes append': ['text'],
};

describe('an empty argument, as of a variable that is not set', () => {
  it('is a value of texts only, and of the folder to which a note is moved', () => {
    const allowed = commands.flatMap(({ name, options }) => {
      const names = options.flatMap(([option, { mayBeEmpty }]) => (mayBeEmpty ? [option] : []));
      return names.length > 0 ? [[name, names]] : [];
    });
    expect(Object.fromEntries(allowed)).toEqual(emptyValues);
  });

  it.each(
    commands.flatMap(({ name, command, options }) =>
      options.flatMap(([option, { mayBeEmpty }]) =>
        mayBeEmpty ? [] : [[name, option, command] as const],
      ),
    ),
  )(
    'is refused with the name of the option: commonplace %s --%s ""',
    async (_name, option, command) => {
      const refusal = new UsageError([`--${option} is empty: give it a value, or leave it out`]);
      await expect(command.run([`--${option}`, ''])).rejects.toEqual(refusal);
      await expect(command.run([`--${option}=`])).rejects.toEqual(refusal);
    },
  );

  it.each(commands.filter(({ name }) => name !== 'heartbeat'))(
    'is refused as an argument: commonplace $name ""',
    async ({ command }) => {
      await expect(command.run([''])).rejects.toThrow(UsageError);
      await expect(command.run(['x', ''])).rejects.toThrow(UsageError);
    },
  );
});
