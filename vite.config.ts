import { hash } from 'node:crypto'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import viteReact from '@vitejs/plugin-react'
import { defineConfig, type PluginOption } from 'vite'
import { readBuildRelease } from './bin/build-release.ts'
import { codeSplitting } from './bin/code-splitting.ts'
import { writeCompressedCopies } from './bin/compressed-copies.ts'
import { readCronSchedule } from './bin/cron-schedule.ts'
import { bundleThreadProgram } from './bin/thread-program.ts'
import { readOwnMigrations } from './src/server/store/engine/migrations.ts'

export default defineConfig(async ({ command }) => ({
  define: {
    __CULVERT_RELEASE__: JSON.stringify(readBuildRelease(process.env)),
    ...(command === 'build' && { __CULVERT_MIGRATIONS__: JSON.stringify(await readOwnMigrations()) }),
    // A serverless function has no sources from which to start the thread.
    ...(process.env['VERCEL'] && {
      __CULVERT_CONNECTION_THREAD__: JSON.stringify(
        await bundleThreadProgram('src/server/store/engine/postgres/connection-thread.ts'),
      ),
    }),
  },
  build: {
    // With older targets light-dark() and nesting would be rewritten into twice as much CSS.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    target: 'es2023',
  },
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { codeSplitting } },
      },
    },
  },
  plugins: [
    tanstackStart({
      serverFns: { generateFunctionId: toFunctionId },
      importProtection: {
        behavior: 'error',
        client: {
          files: ['**/*.server.*', '**/src/server/**'],
          excludeFiles: [
            '**/node_modules/**',
            '**/*.functions.*',
            '**/*.search.*',
            '**/store/**/records.*',
            '**/console/**/*views.*',
          ],
        },
      },
    }),
    ...(process.env['VERCEL'] ? [await vercelFunction()] : [compressedCopies()]),
    viteReact(),
  ],
}))

/**
 * The id of a server function in its address. Function names are unique. The default has 64 digits, and the
 * first load has 42 ids, which do not compress.
 */
function toFunctionId({ functionName }: { functionName: string }): string {
  return hash('sha256', functionName).slice(0, 16)
}

/**
 * Turns the build into one Vercel function and its static files (Build Output API). Only then is Nitro
 * loaded.
 */
async function vercelFunction(): Promise<PluginOption> {
  const { nitro } = await import('nitro/vite')
  return nitro({
    preset: 'vercel',
    buildDir: '.vercel/nitro',
    vercel: {
      functions: { runtime: 'nodejs24.x', maxDuration: 60 },
      config: { version: 3, crons: [{ path: '/api/cron', schedule: readCronSchedule(process.env) }] },
    },
    // 700 of the 800 modules that the first request of an instance loads, and half of its CPU time.
    noExternals: [/(?:^|\/)@(?:opentelemetry|sentry)\//],
    // As in the other builds: the SDK's server half does not have all exports of its browser half.
    rolldownConfig: { shimMissingExports: true },
    logLevel: 1,
  })
}

/** For the Node front, which serves files as they are. Vercel compresses by itself. */
function compressedCopies(): PluginOption {
  return {
    name: 'culvert:compressed-copies',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle: {
      order: 'post',
      handler: async ({ dir }) => {
        if (dir !== undefined) await writeCompressedCopies(dir)
      },
    },
  }
}
