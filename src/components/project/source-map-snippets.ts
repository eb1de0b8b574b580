import type { SetupStep } from './setup-step.ts'

/** The target of source map uploads. */
export interface UploadTarget {
  origin: string
  organizationSlug: string
  projectSlug: string
}

/** Two ways to upload source maps with each build: sentry-cli, or the plugin for Vite. */
export function sourceMapSteps({ origin, organizationSlug, projectSlug }: UploadTarget): SetupStep[] {
  return [
    {
      label: 'Shell',
      code: `export SENTRY_URL=${origin}/
export SENTRY_ORG=${organizationSlug}
export SENTRY_PROJECT=${projectSlug}
export SENTRY_AUTH_TOKEN=…
npx sentry-cli sourcemaps inject dist
npx sentry-cli sourcemaps upload dist`,
    },
    {
      label: 'vite.config.ts',
      code: `import { sentryVitePlugin } from '@sentry/vite-plugin'

export default {
  build: { sourcemap: 'hidden' },
  plugins: [
    // Last, after the plugins that change code.
    sentryVitePlugin({
      url: '${origin}/',
      org: '${organizationSlug}',
      project: '${projectSlug}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
      telemetry: false,
      sourcemaps: { filesToDeleteAfterUpload: ['dist/**/*.map'] },
    }),
  ],
}`,
    },
  ]
}
