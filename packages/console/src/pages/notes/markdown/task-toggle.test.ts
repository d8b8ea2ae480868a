import { describe, expect, it } from '@jest/globals';
import { toggleTask } from './task-toggle.ts';

describe('a task that is checked by its line', () => {
  it('is that of the line as the parser counts it, whatever ends the lines', () => {
    expect(toggleTask('10%\r20%\n\n- [ ] one\n- [ ] two\n', 4)).toBe(
      '10%\r20%\n\n- [x] one\n- [ ] two\n',
    );
    expect(toggleTask('- [ ] one\r\n- [x] two\r\n', 2)).toBe('- [ ] one\r\n- [ ] two\r\n');
  });

  it('is none on a line without one, or beyond the text', () => {
    expect(toggleTask('one\n- [ ] two\n', 1)).toBeNull();
    expect(toggleTask('one\n', 9)).toBeNull();
  });
});
