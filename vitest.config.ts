import { configDefaults, defineConfig } from 'vitest/config'
import { fullTestFiles } from './bin/checks/full-tests.ts'
import { isShortRun } from './bin/checks/short-run.ts'

const slow = 'test/faults/**/*.slow.test.ts'
const setupFiles = ['test/support/end-of-file.ts']

/** Without Start's plugin: the tests import plain modules, and run the built server in a separate process. */
export default defineConfig({
  test: {
    environment: 'node',
    // The default is one less than the number of cores: on two cores one.
    maxWorkers: 2,
    // Long enough for every expected change on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    tags: [{ name: 'full', description: 'Only with npm test -- --full, and when its file is run alone.' }],
    ...(isShortRun && {
      tagsFilter: ['!full'],
      exclude: [...configDefaults.exclude, ...Object.keys(fullTestFiles)],
    }),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,bin,bench}/**/*.test.{ts,tsx}'],
          // Reloading the same modules for each file takes more than half of the time, and these tests share
          // no state.
          isolate: false,
          // Generated input and real files, at the same time as suites with a higher priority.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // As in production: React's development build uses a third more processor time.
          env: { NODE_ENV: 'production' },
          setupFiles,
          include: ['test/{integration,tooling}/**/*.test.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          setupFiles,
          include: ['test/faults/**/*.test.ts'],
          exclude: [slow],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'recipes',
          setupFiles,
          include: ['test/recipes/**/*.test.ts'],
          // The first time packages are installed and applications built.
          hookTimeout: 900_000,
          testTimeout: 60_000,
          fileParallelism: false,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow-faults',
          setupFiles,
          include: [slow],
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
