import { defineConfig } from '@playwright/test'
import { testBrowserOptions } from './bin/chromium.ts'

const onPostgres = process.env['CULVERT_TEST_POSTGRES'] !== undefined
/** Both engines may be tested at the same time. */
const results = onPostgres ? 'test-results/e2e-postgres' : 'test-results/e2e'

/**
 * End-to-end tests in a real Chromium. Each test file starts the server it needs, so there is none to start
 * here.
 */
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: results,
  // Each file has servers of its own. Those on PostgreSQL run beside other suites.
  workers: onPostgres ? 1 : 2,
  // A test that passes only when it is repeated has failed.
  retries: 0,
  timeout: 60_000,
  // What is awaited comes within it on a busy machine too; what does not appear fails after it.
  expect: { timeout: 20_000 },
  // Something that breaks every test must not hold up the answer.
  globalTimeout: 28 * 60_000,
  maxFailures: 10,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: `${results}.json` }]],
  use: {
    browserName: 'chromium',
    // A trace of every test would double the time; playwright test --trace on makes one.
    screenshot: 'only-on-failure',
    launchOptions: testBrowserOptions(process.env),
  },
})
