import type { Page } from 'playwright-core';
import { board } from './start-console.ts';

type Account = { readonly email: string; readonly password: string };

/** Signs in through the login page, by default as the board, and waits for the dashboard. */
export const signIn = async (page: Page, account: Account = board): Promise<void> => {
  await page.goto('/login');
  await fillLogin(page, account);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
};

/** Fills in and submits the login form, without waiting for the result. */
export const fillLogin = async (page: Page, { email, password }: Account): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
