import { appConfig } from '../../../app.config.ts'

/** Characters that change the direction of the following text. Elements isolate them; titles have none. */
const directionControls = /\p{Bidi_Control}/gu

/** The title of a page for an unknown path or a missing issue. */
export const notFoundTitle = `Not found · ${appConfig.name}`

/**
 * The head of a screen: the title has its subject first and the application's name last. A screen that is not
 * found has no subject. Direction controls are left out.
 */
export function pageHead(subject: string, page?: { match: { status: string } }) {
  const title = `${subject.replaceAll(directionControls, '')} · ${appConfig.name}`
  return { meta: [{ title: page?.match.status === 'notFound' ? notFoundTitle : title }] }
}
