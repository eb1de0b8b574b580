import type { Culvert } from './culvert.ts'

/** The path of the issue of an event, without a page in the browser. */
export async function findIssuePath(
  { origin, session: { name, value } }: Culvert,
  eventId: string | undefined,
): Promise<string> {
  const answer = await fetch(`${origin}/events/${eventId}`, {
    headers: { accept: 'text/html', cookie: `${name}=${value}` },
  })
  return /\/issues\/\d+/.exec(await answer.text())?.[0] ?? '/missing'
}
