import type { Page } from '@playwright/test'
import { totpCode } from '#test/totp.ts'
import { type Culvert, startCulvert } from './support/culvert.ts'
import { waitUntilSettled } from './support/hydration.ts'
import { expectAccessible } from './support/layout-checks.ts'
import { expect, onePageTest as test, serveCulvert } from './support/test.ts'

const ada = { email: 'ada@example.com', password: 'a password for tests' }

interface Credentials {
  email: string
  password: string
}

/** Returns once the server has answered; the page may still show the form. */
async function signIn(page: Page, credentials: Credentials): Promise<void> {
  // Before hydration, the browser posts the form and replaces the page, with all that is typed meanwhile.
  await waitUntilSettled(page)
  await submitCredentials(page, credentials)
}

async function submitCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  ])
}

test.describe('without an account', () => {
  let culvert: Culvert
  test.beforeAll(async () => {
    culvert = await startCulvert({ isSetUp: false })
  })
  test.afterAll(() => culvert.stop())

  test(
    'every screen redirects to the setup, which only the printed token opens',
    { tag: '@postgres' },
    async ({ page, problems }) => {
      problems.expect(/status of 4\d\d/)
      await page.goto(`${culvert.origin}/issues`)
      await expect(page).toHaveURL(/\/setup$/)
      await expectAccessible(page)
      await page.getByLabel('Setup token').fill('guessed')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText('Invalid token')).toBeVisible()
      await expect(page.getByLabel('Password')).toHaveCount(0)
      await expectAccessible(page)

      await page.goto(/http:\S+\/setup\?token=\S+/.exec(culvert.printed())?.[0] ?? '')
      await expect(page.getByLabel('Organization')).toBeFocused()
      await expectAccessible(page)
      await page.getByLabel('Organization').fill('Analytical Engines')
      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('Email').fill(ada.email)
      await page.getByLabel('Password').fill('aaaaaaaaaa')
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByText('This password is easy to guess')).toBeVisible()
      await expect(page.getByLabel('Organization')).toHaveValue('Analytical Engines')
      await page.getByLabel('Password').fill(ada.password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page).toHaveURL(/\/issues$/)
      await page.getByRole('button', { name: 'Account: Ada' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page).toHaveURL(/\/login$/)
      await page.goto(`${culvert.origin}/setup`)
      await expect(page.getByRole('heading', { name: 'Culvert is set up' })).toBeVisible()
    },
  )
})

const culvert = serveCulvert()

test.describe('signing in', () => {
  test.beforeEach(({ context }) => context.clearCookies())

  test('returns to the requested page, and reveals only that sign-in failed', async ({ page, problems }) => {
    problems.expect(/status of 401/)
    await page.goto(`${culvert().origin}/projects#list`)
    await expect(page).toHaveURL(/\/login\?to=%2Fprojects#list$/)
    await expectAccessible(page)
    await signIn(page, { ...ada, password: 'a wrong password' })
    await expect(page.getByRole('alert')).toHaveText('Wrong email or password.')
    await expect(page.getByLabel('Email')).toHaveValue(ada.email)
    await signIn(page, { email: 'nobody@example.com', password: 'a wrong password' })
    await expect(page.getByRole('alert')).toHaveText('Wrong email or password.')
    await signIn(page, ada)
    await expect(page).toHaveURL(/\/projects#list$/)
    await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
  })
})

test('a second factor is required after setup @full', async ({ page, problems }) => {
  problems.expect(/status of 4/)
  const { origin } = culvert()
  await culvert().createUser('grace@example.com', 'another password')
  await page.context().clearCookies()
  await page.goto(`${origin}/login?to=/settings`)
  await signIn(page, { email: 'grace@example.com', password: 'another password' })
  const panel = page.getByRole('region', { name: 'Two-factor authentication' })
  await expect(panel).toBeVisible()
  await expectAccessible(page)
  await panel.getByLabel('Password').fill('another password')
  await panel.getByRole('button', { name: 'Set up' }).click()
  const secret = (await panel.locator('code').first().textContent()) ?? ''
  await expect(panel.getByRole('button', { name: 'Copy secret' })).toBeVisible()
  await expect(panel.locator('pre')).toHaveText(/\S/)
  await expectAccessible(page)
  await panel.getByLabel('Code', { exact: true }).fill('000000')
  await panel.getByRole('button', { name: 'Turn on' }).click()
  await expect(panel.getByText('Invalid or expired code.')).toBeVisible()
  await panel.getByLabel('Code', { exact: true }).fill(totpCode(secret))
  await panel.getByRole('button', { name: 'Turn on' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Two-factor authentication turned on' }),
  ).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${origin}/login`)
  await signIn(page, { email: 'grace@example.com', password: 'another password' })
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await expect(page.getByText('Lost both? Ask the operator')).toBeVisible()
  await page.goto(`${origin}/issues`)
  await expect(page).toHaveURL(/\/login/)
  await page.goto(`${origin}/login?step=code`)
  await page.getByLabel('Code').fill(totpCode(secret, Date.now() + 30_000))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/issues$/)
})

test('sessions are listed, and an ended session is signed out at once @full', async ({
  page,
  openContext,
}) => {
  const { origin } = culvert()
  const elsewhere = await openContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  })
  const other = await elsewhere.newPage()
  await other.goto(`${origin}/login`)
  await signIn(other, ada)
  await expect(other).toHaveURL(/\/issues$/)
  await page.goto(`${origin}/settings`)
  await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).first().click()
  await expect(page.getByRole('button', { name: 'Sign out Firefox on Linux' })).toHaveCount(0)
  await other.reload()
  await expect(other).toHaveURL(/\/login/)
})

test('an invitation works once; the member sees only their projects @full', async ({
  page,
  openContext,
  problems,
}) => {
  problems.expect(/status of 4/)
  const { origin } = culvert()
  await culvert().createProject('Secret')
  await page.goto(`${origin}/settings/members`)
  await expectAccessible(page)
  await page.getByLabel('Email').fill('alan@example.com')
  await page.getByLabel('Role').last().selectOption('viewer')
  const projects = page.getByRole('group', { name: 'Projects' }).last()
  await projects.getByLabel('Selected projects').check()
  await projects.getByLabel('App', { exact: true }).check()
  await page.getByRole('button', { name: 'Create invite link' }).click()
  const first = (await page.locator('.invite-link').textContent()) ?? ''
  const row = page.getByRole('listitem').filter({ hasText: 'alan@example.com' })
  await expect(row).toContainText('expires')
  await row.getByRole('button', { name: 'New link for alan@example.com' }).click()
  await expect(row.locator('.invite-link')).toHaveText(/\S{30,}/)
  const link = (await row.locator('.invite-link').textContent()) ?? ''
  expect(link).not.toBe(first)
  await expectAccessible(page)
  await expect(page.locator('[role="status"] > .form-note').first()).toHaveCSS('margin-bottom', '16px')
  const context = await openContext()
  const alan = await context.newPage()
  await alan.goto(link)
  await expect(alan.getByRole('heading', { name: 'Join Example' })).toBeVisible()
  await expectAccessible(alan)
  await alan.getByLabel('Name').fill('Alan')
  await expect(alan.getByLabel('Email')).toHaveValue('alan@example.com')
  await alan.getByLabel('Password').fill('a bombe and an enigma')
  await alan.getByRole('button', { name: 'Create account and join' }).click()
  await expect(alan).toHaveURL(/\/issues$/)
  await alan.goto(`${origin}/projects`)
  await expect(alan.getByRole('heading', { name: 'App' })).toBeVisible()
  await expect(alan.getByText('Secret')).toHaveCount(0)
  await alan.goto(`${origin}/settings/members`)
  await expect(alan.getByText('Only admins and owners')).toBeVisible()
  await alan.goto(link)
  await expect(alan.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible()
  await page.reload()
  const member = page.getByRole('listitem').filter({ hasText: 'alan@example.com' })
  await expect(member).toContainText('viewer')
  await member.getByText('Edit').click()
  await member.getByText('Remove…').click()
  await expect(member).toContainText('Alan loses access to every project of Example,')
  await member.getByRole('button', { name: 'Remove Alan' }).click()
  await expect(member).toHaveCount(0)
})
