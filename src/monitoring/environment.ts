import { appConfig } from '../../app.config.ts'

/** Under which environment Culvert's own events are filed: `SENTRY_ENVIRONMENT`, else `VERCEL_ENV`, else production. */
export function environmentFrom(env: Readonly<Record<string, string | undefined>>): string {
  return env['SENTRY_ENVIRONMENT']?.trim() || env['VERCEL_ENV']?.trim() || appConfig.defaultEnvironment
}
