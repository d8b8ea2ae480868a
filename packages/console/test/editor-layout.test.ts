import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, agent, enter } = acmeConsole();

const write = async (body: object): Promise<string> => {
  const id = randomUUID();
  await must(agent, `PUT /api/notes/${id}`, body);
  return id;
};

const openEditor = async (path: string): Promise<Page> => {
  const page = await enter();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, at(path));
  await page.getByLabel('Content').waitFor();
  return page;
};

const show = (page: Page, view: string) =>
  page.getByRole('group', { name: 'View' }).getByRole('button', { name: view }).click();

const sentence = 'The kettle has to be descaled every month, or the water takes too long. ';

/** The contrast of the ring around an element, or of the border of a field, and the page (WCAG 2.2, 1.4.11). */
const contrastOfFocus = (element: Element): number => {
  const luminanceOf = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? [])
      .slice(0, 3)
      .map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const field = element.closest('.mantine-Input-wrapper')?.querySelector('.mantine-Input-input');
  const ring = field
    ? getComputedStyle(field).borderTopColor
    : getComputedStyle(element).outlineColor;
  const isDrawn = field ? true : getComputedStyle(element).outlineStyle === 'solid';
  const page = getComputedStyle(document.body).backgroundColor;
  const [lighter = 0, darker = 0] = [luminanceOf(ring), luminanceOf(page)].toSorted(
    (a, b) => b - a,
  );
  return isDrawn ? (lighter + 0.05) / (darker + 0.05) : 0;
};

describe('the editor', () => {
  it('begins with the title, then the text, and has the rest beside them', async () => {
    const page = await openEditor('/notes/new');
    await page.locator('[aria-label="Title"]:focus').waitFor();
    await page.keyboard.type('Kettles');
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="Content"]:focus').waitFor();
    await page.keyboard.type('Descale them.');
    expect(await page.getByLabel('Content').innerText()).toBe('Descale them.');
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByLabel('Folder', { exact: true }).fill('kitchen');
    await details.getByRole('switch', { name: 'Pinned' }).click();
    const text = await page.getByLabel('Content').boundingBox();
    const beside = await details.boundingBox();
    expect(beside?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
    await page.getByText('Not saved yet').or(page.getByText('Unsaved changes')).waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Kettles' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'kitchen' }).waitFor();
  });

  it('names a tag that is too long while one can still see it', async () => {
    const page = await openEditor('/notes/new');
    await page.getByRole('combobox', { name: 'Tags' }).fill('x'.repeat(65));
    await page.keyboard.press('Enter');
    await page.getByText(`“${'x'.repeat(20)}…” has more than 64 characters.`).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('has more than 64 characters.').waitFor({ state: 'detached' });
    expect(
      await page.getByRole('combobox', { name: 'Tags' }).getAttribute('aria-invalid'),
    ).not.toBe('true');
  });

  it('finds and replaces in a panel that looks like the rest, also in the dark', async () => {
    const page = await openEditor('/notes/new');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+f');
    const panel = page.locator('.cm-search');
    const next = panel.getByRole('button', { name: 'Next', exact: true });
    await next.waitFor();
    await panel.getByText('Regular expression').waitFor();
    const look = await next.evaluate((button) => {
      const { backgroundImage, color } = getComputedStyle(button);
      return { backgroundImage, isOfPage: color === getComputedStyle(document.body).color };
    });
    expect(look).toEqual({ backgroundImage: 'none', isOfPage: true });
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
  });

  it.each(['light', 'dark'] as const)(
    'shows what has the focus with a contrast of at least 3 (%s)',
    async (colorScheme) => {
      const page = await openEditor('/notes/new');
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.getByRole('button', { name: 'Both', exact: true }).click();
      for (const part of [
        page.getByRole('region', { name: 'Preview' }),
        page.getByRole('button', { name: 'Both', exact: true }),
        page.getByRole('combobox', { name: 'Tags' }),
      ]) {
        await part.focus();
        await page.keyboard.press('Shift');
        expect(await part.evaluate(contrastOfFocus)).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it('says with forced colours which view is on, and which switches are', async () => {
    const page = await openEditor('/notes/new');
    await page.emulateMedia({ forcedColors: 'active' });
    const lookOf = (part: Locator) =>
      part.evaluate((element) => {
        const { backgroundColor, borderTopWidth } = getComputedStyle(element);
        return { backgroundColor, borderTopWidth };
      });
    const track = page.locator('.mantine-Switch-track').first();
    const off = await lookOf(track);
    expect(off.borderTopWidth).toBe('1px');
    await page.getByRole('switch', { name: 'Pinned' }).press('Space');
    expect((await lookOf(track)).backgroundColor).not.toBe(off.backgroundColor);
    const view = page.getByRole('group', { name: 'View' });
    const pressed = await lookOf(view.locator('[aria-pressed="true"]'));
    const other = await lookOf(view.locator('[aria-pressed="false"]').first());
    expect(pressed.backgroundColor).not.toBe(other.backgroundColor);
  });

  it('has lines of at most 72 characters, and says what is saved', async () => {
    const id = await write({ title: 'Wide', content: sentence.repeat(12), properties: { a: 1 } });
    const page = await openEditor(`/notes/${id}/edit`);
    await show(page, 'Write');
    const longest = await page.locator('.cm-line').evaluate((line) => {
      const lengths = new Map<number, number>();
      const range = document.createRange();
      const text = line.firstChild as Text;
      for (let index = 0; index < text.length; index += 1) {
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        lengths.set(top, (lengths.get(top) ?? 0) + 1);
      }
      return Math.max(...lengths.values());
    });
    // The space at the end of a line is not seen.
    expect(longest).toBeLessThanOrEqual(73);
    expect(longest).toBeGreaterThan(40);
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Properties' }).getByText('"a": 1').waitFor();
    await page.getByLabel('Content').click();
    await page.keyboard.type('More. ');
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Wide' }).waitFor();
  });

  it('says that it is saving, that this failed, and that one is offline, each in its own words', async () => {
    const id = await write({ title: 'Unsteady', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    const saysNow = (words: string) => page.getByText(words, { exact: true }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(`**/api/notes/${id}`, async (route) => {
      if (route.request().method() === 'PUT') {
        await held.promise;
        await route.abort();
      } else {
        await route.fallback();
      }
    });
    await page.getByLabel('Content').fill('two\n');
    await saysNow('Unsaved changes');
    await page.keyboard.press('Control+s');
    await saysNow('Saving…');
    held.resolve();
    await saysNow('Not saved, kept in this browser');
    await page.context().setOffline(true);
    await saysNow('Offline, kept in this browser');
    await page.context().setOffline(false);
    await page.unroute(`**/api/notes/${id}`);
    // By itself, without another press.
    await saysNow('Saved');
    expect(await must(agent, `GET /api/notes/${id}`)).toMatchObject({ content: 'two\n' });
  });

  it('is left by Cancel, which has to be confirmed before it drops what was written', async () => {
    const id = await write({ title: 'Cancelled', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await page.getByLabel('Content').fill('two\n');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor();
    expect(await must(agent, `GET /api/notes/${id}`)).toMatchObject({ content: 'one\n' });
  });

  it('has a focus mode without navigation and details, which Escape ends', async () => {
    const id = await write({ title: 'Alone', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('button', { name: 'Focus' }).click();
    await navigation.waitFor({ state: 'hidden' });
    expect(await page.getByRole('region', { name: 'Details' }).count()).toBe(0);
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('see [[Al');
    await page.getByRole('option', { name: 'Alone' }).waitFor();
    // It closes the list first.
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Alone' }).waitFor({ state: 'detached' });
    expect(await navigation.isVisible()).toBe(false);
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await navigation.waitFor();
    await page.getByRole('region', { name: 'Details' }).waitFor();
    expect(await page.getByLabel('Content').innerText()).toContain('see [[Al');
  });

  it('shows in the preview the place one writes at, with links that are links', async () => {
    const target = await write({ title: 'Boiling point', content: 'x', folder: 'physics' });
    const sections = Array.from(
      { length: 60 },
      (_, index) => `## Part ${index}\n\n${sentence}\n\n`,
    );
    const id = await write({ title: 'Long', content: sections.join('') });
    const page = await openEditor(`/notes/${id}/edit`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Part 59' }).waitFor();
    await page.locator('.cm-scroller').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    // The first heading in view is as far from the top on one side as on the other, once the preview has followed.
    await page.waitForFunction(() => {
      const scroller = document.querySelector('.cm-scroller') as HTMLElement;
      const region = document.querySelector('[aria-label="Preview"]') as HTMLElement;
      const topIn = (side: HTMLElement, part: Element | undefined): number =>
        (part?.getBoundingClientRect().top ?? Number.NaN) - side.getBoundingClientRect().top;
      const line = [...scroller.querySelectorAll('.cm-line')].find(
        (each) => each.textContent?.startsWith('## ') && topIn(scroller, each) > 0,
      );
      const name = line?.textContent?.slice(3);
      const heading = [...region.querySelectorAll('h2')].find((each) => each.textContent === name);
      return (
        region.scrollTop > 500 && Math.abs(topIn(scroller, line) - topIn(region, heading)) < 120
      );
    });
    await page.getByLabel('Content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('See [[boiling point]] and [[No such thing]].');
    const link = preview.getByRole('link', { name: 'boiling point' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toContain(target);
    const opened = page.context().waitForEvent('page');
    await link.click();
    const other = await opened;
    await other.getByRole('heading', { name: 'Boiling point' }).waitFor();
    await other.close();
    // The text is where it was.
    expect(await page.getByLabel('Content').innerText()).toContain('See [[boiling point]]');
    expect(await preview.getByRole('link', { name: 'No such thing' }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('offers titles with their folders, and fits on a phone', async () => {
    await write({ title: 'Porcelain', content: 'x', folder: 'kitchen/cups' });
    const id = await write({ title: 'Small', content: 'one\n' });
    const page = await openEditor(`/notes/${id}/edit`);
    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByLabel('Content').click();
    await page.keyboard.type('[[porc');
    const offered = page.getByRole('option', { name: /Porcelain.*kitchen\/cups/ });
    await offered.waitFor();
    const widths = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(widths[0]).toBe(widths[1]);
    // The list ignores Enter at first, because it may be meant for the text.
    await offered.click();
    await page.getByLabel('Content').getByText('[[Porcelain]]').waitFor();
    await expectNoAxeViolations(page);
    await expectLargeTargets(page);
  });
});

describe('the completion of links', () => {
  it('offers no copy of a note that has a conflict, also where the title of the copy is another', async () => {
    const id = await write({ title: 'Quince jam', content: 'one\n' });
    await must(agent, `PUT /api/notes/${id}`, { title: 'Quince jam', content: 'two\n' });
    const note = { title: 'Quince jelly', content: 'three\n' };
    const change = { mutationId: randomUUID(), id, op: 'put', baseRevision: 1, note };
    await must(agent, 'POST /api/sync', { clientId: 'console-test', changes: [change] });
    const page = await openEditor('/notes/new');
    await page.getByLabel('Content').click();
    await page.keyboard.type('[[quince');
    await page.getByRole('option', { name: /^Quince jam/ }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
  });
});

describe('the history of a note', () => {
  it('is quiet: no button of its rows is louder than the others', async () => {
    const id = await write({ title: 'Quiet', content: 'one\n' });
    await must(agent, `PUT /api/notes/${id}`, { title: 'Quiet', content: 'two\n' });
    const page = await enter();
    await openPage(page, at(`/notes/${id}/history`));
    const restore = page.getByRole('button', { name: 'Restore revision 1' });
    const styles = await restore.evaluate((button) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(button);
      return [backgroundColor, borderTopColor];
    });
    expect(styles).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  });
});
