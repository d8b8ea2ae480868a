import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { acmeConsole } from './support/acme-console.ts';

const { agent, openEditor: openSection } = acmeConsole();

const write = async (body: object): Promise<string> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, body);
  return id;
};

const openEditor = (id: string) => openSection(`/notes/${id}/edit`);

const content = (page: Page) => page.getByLabel('Content');

describe('what is pasted or dropped into the editor', () => {
  it.each(['paste', 'drop'] as const)('an image file is refused in words: %s', async (way) => {
    const id = await write({ title: `Image by ${way}`, content: 'kept' });
    const page = await openEditor(id);
    await content(page).evaluate((field, type) => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'photo.png', { type: 'image/png' }));
      const init = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...init, clipboardData: data })
          : new DragEvent(type, { ...init, dataTransfer: data }),
      );
    }, way);
    await page.getByText('Notes hold text only, so the image was not added.').waitFor();
    expect((await content(page).innerText()).trim()).toBe('kept');
  });

  it.each(['paste', 'drop'] as const)(
    'the text of files is added, and said to be, and of other files that they are left out: %s',
    async (way) => {
      const id = await write({ title: `Files by ${way}`, content: 'kept' });
      const page = await openEditor(id);
      await content(page).evaluate((field, type) => {
        const data = new DataTransfer();
        data.items.add(new File(['of one\r\n'], 'plan.txt', { type: 'text/plain' }));
        data.items.add(new File(['<b>bold</b>'], 'page.html', { type: 'text/html' }));
        data.items.add(new File(['<svg/>'], 'map.svg', { type: 'image/svg+xml' }));
        data.items.add(new File(['\0\u0001\u0002'], 'book.pdf', { type: 'application/pdf' }));
        const latin = new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x80]);
        data.items.add(new File([latin], 'kunden.csv', { type: 'text/csv' }));
        data.items.add(new File(['x'.repeat(600_000)], 'log.txt', { type: 'text/plain' }));
        const { x, y } = field.getBoundingClientRect();
        const init = { bubbles: true, cancelable: true };
        field.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent(type, { ...init, clipboardData: data })
            : new DragEvent(type, { ...init, clientX: x, clientY: y, dataTransfer: data }),
        );
      }, way);
      await page
        .getByText(
          'The text of “plan.txt”, “page.html” was added as it is. The file itself is not kept.',
        )
        .waitFor();
      await page.getByText('Notes hold text only, so the image was not added.').waitFor();
      await page
        .getByText('The text of “kunden.csv” is not UTF-8 and was added as Windows-1252.')
        .waitFor();
      await page.getByText('Not added: “log.txt”. Notes hold text of at most 512 KiB.').waitFor();
      await page
        .getByText('Not added: “book.pdf”. Notes hold text only, and this is none.')
        .waitFor();
      expect((await content(page).innerText()).trim()).toMatch(
        /^of one\n+<b>bold<\/b>\n+Müller €kept$/,
      );
    },
  );

  it('an image that is dragged from a page is added with its address', async () => {
    const id = await write({ title: 'Dragged', content: 'kept' });
    const page = await openEditor(id);
    await content(page).evaluate((field) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', 'https://example.org/a.png');
      dataTransfer.setData('text/html', '<img src="https://example.org/a.png" alt="map">');
      dataTransfer.items.add(new File(['\0\u0001'], 'a.png', { type: 'image/png' }));
      const { x, y } = field.getBoundingClientRect();
      const init = { bubbles: true, cancelable: true, clientX: x, clientY: y };
      field.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer }));
    });
    expect((await content(page).innerText()).trim()).toBe('![map](https://example.org/a.png)kept');
  });

  it.each(['with its file', 'alone'])(
    'an image that has no address of its own is refused in words, and what is selected stays: %s',
    async (way) => {
      const id = await write({ title: `Copied ${way}`, content: 'kept' });
      const page = await openEditor(id);
      await content(page).press('Control+a');
      await content(page).evaluate((field, hasFile) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', '<img src="blob:https://example.org/1" alt="map">');
        if (hasFile) {
          clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
        }
        const init = { bubbles: true, cancelable: true };
        field.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData }));
      }, way !== 'alone');
      await page.getByText('Notes hold text only, so the image was not added.').waitFor();
      expect((await content(page).innerText()).trim()).toBe('kept');
    },
  );

  it('a pasted table becomes Markdown, and a pasted script nothing', async () => {
    const id = await write({ title: 'Pasted', content: '' });
    const page = await openEditor(id);
    await content(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        'text/html',
        '<table><tr><th>City</th><th>Height</th></tr><tr><td>Quito</td><td>2850</td></tr></table>' +
          '<img src="https://example.org/a.png" alt="map"><script>document.title = "owned"</script>',
      );
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    const text = await content(page).innerText();
    expect(text).toMatch(/\| City\s*\| Height\s*\|/);
    expect(text).toMatch(/\| Quito\s*\| 2850\s*\|/);
    expect(text).toContain('![map](https://example.org/a.png)');
    expect(text).not.toContain('owned');
    expect(await page.title()).not.toBe('owned');
  });
});
