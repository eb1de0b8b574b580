import type { Page } from '@playwright/test'
import { parseMail, startSmtpReceiver, type SmtpReceiver } from '#test/smtp-receiver.ts'
import { type Culvert, startCulvert } from './support/culvert.ts'
import { openSettled, waitUntilSettled } from './support/hydration.ts'
import { expectGoodLayout } from './support/layout-checks.ts'
import { expect, onePageTest as test } from './support/test.ts'

let receiver: SmtpReceiver
let culvert: Culvert

test.beforeAll(async () => {
  test.setTimeout(240_000)
  receiver = await startSmtpReceiver()
  culvert = await startCulvert({
    variables: {
      CULVERT_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
      CULVERT_MAIL_FROM: 'culvert@culvert.example',
    },
  })
})
test.afterAll(async () => {
  await culvert.stop()
  await receiver.close()
})

/** The link in the mail to an address. */
async function findLink(email: string): Promise<string> {
  const mailed = () => receiver.mails.find(({ to }) => to.includes(email))
  await expect.poll(mailed).toBeDefined()
  return /http\S+\/password\/\S+/.exec(parseMail(mailed()?.raw ?? '').text)?.[0] ?? ''
}

async function requestLink(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot password?')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page).toHaveURL(/\/login\?step=link-sent$/)
  await expect(page.getByRole('status').filter({ hasText: 'a link has been sent' })).toHaveText(
    'If an account with this address exists, a link has been sent. It works for 4 hours.',
  )
}

test('a forgotten password is replaced through a link that is sent by mail @full', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 410/)
  const email = 'grace@example.com'
  await culvert.createUser(email, 'a first password')
  await openSettled(page, `${culvert.origin}/login`)
  await expectGoodLayout(page)
  await openSettled(page, `${culvert.origin}/forgot-password`)
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectGoodLayout(page)
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await requestLink(page, email)
  await expectGoodLayout(page)

  const link = await findLink(email)
  await openSettled(page, link)
  await expectGoodLayout(page)
  await page.getByLabel('Password', { exact: true }).fill('a second password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your new password is set' })).toBeVisible()
  await waitUntilSettled(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('a second password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/issues$/)

  await openSettled(page, link)
  await expect(page.getByRole('heading', { name: 'Link expired' })).toBeVisible()
  await expectGoodLayout(page)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
})
