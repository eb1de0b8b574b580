import { appConfig } from '../../../app.config.ts'

/** Characters that change the direction of the following text. Elements isolate them; titles have none. */
const directionControls = /\p{Bidi_Control}/gu

/**
 * The head of a screen: the title has its subject first and the application's name last. A screen that is not
 * found has no subject. Direction controls are left out.
 */
export function pageHead(subject: string, page?: { match: { status: string } }) {
  const shown = page?.match.status === 'notFound' ? 'Not found' : subject.replaceAll(directionControls, '')
  return { meta: [{ title: `${shown} · ${appConfig.name}` }] }
}
