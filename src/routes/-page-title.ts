import { appConfig } from '../../app.config.ts'

/** The document's title of a screen: what it shows first, the application's name last. */
export function pageTitle(subject: string): string {
  return `${subject} · ${appConfig.name}`
}
