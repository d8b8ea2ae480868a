import { expect, it } from '@jest/globals';
import { parseCommand } from './parse-command.ts';

it.each([
  ['ada', null, 'ada'],
  ['pause ada', 'pause', 'ada'],
  ['Pause  Ada L', 'pause', 'Ada L'],
  ['new key for bo', 'new key', 'bo'],
  ['new key bo', 'new key', 'bo'],
  ['resume', 'resume', ''],
  ['undo Ada', 'undo', 'Ada'],
  ['move Orchids', 'move', 'Orchids'],
  ['paused', null, 'paused'],
  ['movement', null, 'movement'],
  ['new keyboard', null, 'new keyboard'],
] as const)('%s', (text, verb, rest) => {
  expect(parseCommand(text)).toEqual({ verb, rest });
});
