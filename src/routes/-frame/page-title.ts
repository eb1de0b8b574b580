import { appConfig } from '../../../app.config.ts'

/** Characters that change the direction of the following text. Elements isolate them; titles have none. */
const directionControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * The document's title of a screen: its subject first, the application's name last. Direction controls are
 * left out.
 */
export function pageTitle(subject: string): string {
  return `${subject.replaceAll(directionControls, '')} · ${appConfig.name}`
}
