import { defineConfig } from '@playwright/test'
import { isShortRun } from './bin/checks/short-run.ts'
import { testBrowserOptions } from './bin/chromium.ts'

const onPostgres = process.env['CULVERT_TEST_POSTGRES'] !== undefined
/** Separate folders, because both engines may be tested at the same time. */
const results = onPostgres ? 'test-results/e2e-postgres' : 'test-results/e2e'

/** End-to-end tests in a real Chromium. Each test file starts its own server. */
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: results,
  // Each file has its own servers. Those on PostgreSQL run at the same time as other suites.
  workers: onPostgres ? 1 : 2,
  // A test that passes only on a retry has failed.
  retries: 0,
  timeout: 60_000,
  // Long enough for every expected change on a busy machine.
  expect: { timeout: 20_000 },
  // A fault that breaks every test must not delay the result.
  globalTimeout: 28 * 60_000,
  maxFailures: 10,
  forbidOnly: true,
  ...(isShortRun && { grepInvert: /@full/ }),
  reporter: [['list'], ['json', { outputFile: `${results}.json` }]],
  use: {
    browserName: 'chromium',
    // A trace of every test would double the time; `playwright test --trace on` records one.
    screenshot: 'only-on-failure',
    launchOptions: testBrowserOptions(process.env),
  },
})
