import { defineConfig } from 'vitest/config'

const slow = 'test/faults/**/*.slow.test.ts'
const setupFiles = ['test/support/end-of-file.ts']

/**
 * Without Start's plugin: what is tested here are plain modules, and the built server as a process of its
 * own.
 */
export default defineConfig({
  test: {
    environment: 'node',
    // Left to itself, one less than there are cores: on two cores one.
    maxWorkers: 2,
    // What is awaited comes within it on a busy machine too.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,bin,bench}/**/*.test.{ts,tsx}'],
          // Loading the same modules anew for each file takes more than half of the time, and these tests
          // share nothing.
          isolate: false,
          // Generated input and real files, beside suites that have the processor first.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // As operators run the console: React's development build takes a third more of the processor.
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
