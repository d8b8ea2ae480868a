import { expect, it } from '@jest/globals';
import { must } from '../tools/must.ts';
import { openPage } from '../tools/wait-until-idle.ts';
import { acmeConsole } from './support/acme-console.ts';
import { expectNoAxeViolations } from './support/axe.ts';
import { expectLargeTargets } from './support/targets.ts';

const { at, board, enter } = acmeConsole();

const hire = async (name: string, reportsTo?: string): Promise<string> => {
  const agent = { name, role: 'clerk', ...(reportsTo === undefined ? {} : { reportsTo }) };
  return String((await must(board, `POST /api${at('/agents')}`, agent))['id']);
};

it('a chart of many agents starts collapsed, and a branch expands in place', async () => {
  const head = await hire('Head');
  const chiefs: string[] = [];
  for (let count = 1; count <= 32; count += 1) {
    chiefs.push(await hire(`Chief ${count}`, head));
  }
  for (let count = 1; count <= 32; count += 1) {
    await hire(`Clerk ${count}`, chiefs[4]);
  }
  const page = await enter();
  await openPage(page, at('/org-chart'));
  const chart = page.getByRole('list', { name: 'Org chart' });
  const unfolding = chart.getByRole('button', { name: '32 reports of Head' });
  expect(await unfolding.getAttribute('aria-expanded')).toBe('false');
  expect(await chart.getByRole('link').allTextContents()).toEqual(['Ada', 'Head']);
  await page.waitForFunction(isInTheMiddle);
  const before = await unfolding.boundingBox();
  await unfolding.click();
  // The first thirty by name, and the rest on request.
  await chart.getByRole('link', { name: 'Chief 1', exact: true }).waitFor();
  const after = await unfolding.boundingBox();
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0))).toBeLessThan(2);
  expect(await chart.getByRole('link').count()).toBe(32);
  await expectNoAxeViolations(page);
  await expectLargeTargets(page);
  await chart.getByRole('button', { name: 'Show 2 of 2 more' }).press('Enter');
  await chart.getByRole('button', { name: '32 reports of Chief 5' }).press('Enter');
  await chart.getByRole('link', { name: 'Clerk 1', exact: true }).waitFor();
  expect(await chart.getByRole('link').count()).toBe(64);
  await unfolding.press('Enter');
  await chart.getByRole('link', { name: 'Chief 1', exact: true }).waitFor({ state: 'detached' });
  expect(await unfolding.evaluate((button) => button === document.activeElement)).toBe(true);
});

it('what gets the focus by keyboard is moved into sight, and Fit shows the chart again', async () => {
  const page = await enter();
  await openPage(page, at('/org-chart'));
  const chart = page.getByRole('list', { name: 'Org chart' });
  await chart.getByRole('button', { name: '32 reports of Head' }).press('Enter');
  await chart.getByRole('button', { name: '32 reports of Chief 5' }).press('Enter');
  await chart.getByRole('link', { name: 'Clerk 1', exact: true }).waitFor();
  const fit = page.getByRole('button', { name: 'Fit', exact: true });
  await fit.focus();
  const seen: boolean[] = [];
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(isFocusInFrame));
  }
  expect(seen.filter((isInSight) => !isInSight)).toEqual([]);
  await fit.press('Enter');
  await chart.getByRole('link', { name: 'Head' }).focus();
  await page.waitForFunction(isFocusInFrame);
  const frame = page.locator('.react-transform-wrapper');
  expect(await frame.evaluate((element) => element.scrollLeft)).toBe(0);
});

it('on a phone it is a nested list of readable size that scrolls with the page', async () => {
  const page = await enter();
  await page.setViewportSize({ width: 390, height: 780 });
  await openPage(page, at('/org-chart'));
  const chart = page.getByRole('list', { name: 'Org chart' });
  const manager = await chart.getByRole('link', { name: 'Head' }).boundingBox();
  await chart.getByRole('button', { name: '32 reports of Head' }).click();
  const report = await chart.getByRole('link', { name: 'Chief 1', exact: true }).boundingBox();
  expect(manager?.height).toBeGreaterThan(18);
  expect(report?.x).toBeGreaterThan(manager?.x ?? 0);
  expect(report?.y).toBeGreaterThan(manager?.y ?? 0);
  expect(await page.getByRole('button', { name: 'Zoom in' }).isVisible()).toBe(false);
  const isScrolled = await page.evaluate(() => {
    window.scrollTo(0, 2_000);
    return window.scrollY > 200;
  });
  expect(isScrolled).toBe(true);
  await expectNoAxeViolations(page);
});

/** Runs in the page: whether the chart is inside its frame, as far from the left as from the right. */
const isInTheMiddle = (): boolean => {
  const [frame, chart] = ['.react-transform-wrapper', '[aria-label="Org chart"]'].map((each) =>
    document.querySelector(each)?.getBoundingClientRect(),
  );
  const [left, right] = [
    (chart?.left ?? 0) - (frame?.left ?? 0),
    (frame?.right ?? 0) - (chart?.right ?? 0),
  ];
  // A chart that is as wide as its frame ends where that does.
  return left > -1 && Math.abs(left - right) < 4;
};

it('is fitted and in the middle also after a phone was turned, and zooms only where it is a chart', async () => {
  const page = await enter();
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, at('/org-chart'));
  const chart = page.getByRole('list', { name: 'Org chart' });
  await chart.getByRole('button', { name: '32 reports of Head' }).click();
  await chart.getByRole('link', { name: 'Chief 1', exact: true }).waitFor();
  expect(await page.getByText('Drag to move').count()).toBe(0);
  // The widest list: nothing there zooms.
  await page.setViewportSize({ width: 768, height: 844 });
  expect(await page.getByRole('button', { name: 'Zoom in' }).count()).toBe(0);
  for (const width of [820, 1_024]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByText('Drag to move').waitFor();
    const zoomIn = page.getByRole('button', { name: 'Zoom in' });
    await zoomIn.waitFor();
    await page.waitForFunction(isInTheMiddle);
    expect(await chart.getByRole('link').allTextContents()).toEqual(['Ada', 'Head']);
    await page.setViewportSize({ width: 390, height: 844 });
    await zoomIn.waitFor({ state: 'hidden' });
  }
});

it('of twelve agents opens whole in its window, and Fit leads back to that', async () => {
  const companyId = String((await must(board, 'POST /api/companies', { name: 'Dozen' }))['id']);
  const add = async (name: string, reportsTo?: unknown) =>
    must(board, `POST /api/companies/${companyId}/agents`, {
      name,
      role: 'clerk',
      ...(reportsTo === undefined ? {} : { reportsTo }),
    });
  const { id } = await add('Manager');
  const { id: chief } = await add('Chief', id);
  for (let count = 1; count <= 10; count += 1) {
    await add(`Report ${count}`, count < 4 ? id : chief);
  }
  const page = await enter();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openPage(page, `/companies/${companyId}/org-chart`);
  await page.getByRole('link', { name: 'Report 9' }).waitFor();
  await page.waitForFunction(isInTheMiddle);
  for (let count = 0; count < 5; count += 1) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
  }
  await page.waitForFunction(`!(${isInTheMiddle.toString()})()`);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await page.waitForFunction(isInTheMiddle);
  await expectLargeTargets(page);
});

it('has names that are large enough to tap also where it does not fit into the window', async () => {
  const companyId = String((await must(board, 'POST /api/companies', { name: 'Wide' }))['id']);
  const add = async (name: string, reportsTo?: unknown) =>
    must(board, `POST /api/companies/${companyId}/agents`, {
      name,
      role: 'clerk',
      ...(reportsTo === undefined ? {} : { reportsTo }),
    });
  const { id } = await add('Manager');
  for (let count = 1; count <= 9; count += 1) {
    await add(`Report ${count}`, id);
  }
  const page = await enter();
  for (const width of [780, 1_000, 1_440]) {
    await page.setViewportSize({ width, height: 844 });
    await openPage(page, `/companies/${companyId}/org-chart`);
    await page.getByRole('link', { name: 'Report 9' }).waitFor();
    await expectLargeTargets(page);
  }
});

/** Whether what has the focus is within the frame of the chart. */
const isFocusInFrame = (): boolean => {
  const frame = document.querySelector('.react-transform-wrapper')?.getBoundingClientRect();
  const focused = document.activeElement?.getBoundingClientRect();
  return (
    frame !== undefined &&
    focused !== undefined &&
    focused.left >= frame.left &&
    focused.right <= frame.right &&
    focused.top >= frame.top &&
    focused.bottom <= frame.bottom
  );
};
